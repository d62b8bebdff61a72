import { addPasskey, logInWithPasskey, startPasskey, startPasskeyLogin } from "@alcove/contract/passkeys";
import { createPasskey, type Passkey } from "./passkey.ts";
import type { TestMember, TestService } from "./test-service.ts";

/** Passkeys of a service without `PUBLIC_URL` belong to localhost. */
export const originOf = ({ ctx, url }: Pick<TestService, "ctx" | "url">): string =>
  ctx.config.publicUrl ?? url.replace("127.0.0.1", "localhost");

interface Added {
  readonly passkey?: Passkey;
  readonly name?: string;
  readonly password?: string;
  /** An earlier passkey, in place of the password. */
  readonly by?: Passkey;
}

/** Adds a passkey to a member, and returns it. */
export async function passkeyOf(
  service: TestService,
  member: TestMember,
  { passkey = createPasskey(), name = "Phone", password, by }: Added = {},
): Promise<Passkey> {
  const origin = originOf(service);
  const response = by && (await responseOf(service, by));
  const options = await member.call(startPasskey, { password, response });
  await member.call(addPasskey, { name, response: passkey.register(options, origin) });
  return passkey;
}

/** A response to options that are the same for everybody. */
export async function responseOf(service: TestService, passkey: Passkey) {
  return passkey.logIn(await service.call(startPasskeyLogin, {}), originOf(service));
}

export async function logInBy(service: TestService, passkey: Passkey, device?: string) {
  return service.call(logInWithPasskey, { response: await responseOf(service, passkey), device });
}
