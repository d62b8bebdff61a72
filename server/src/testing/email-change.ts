import { logIn } from "@alcove/contract/accounts";
import { changeEmail, requestEmailCode } from "@alcove/contract/mailboxes";
import type { Mailbox } from "@alcove/test-services/mail";
import type { TestMember, TestService } from "./test-service.ts";

export const PASSWORD = "quiet-evenings-7";

/** With a password, and logged in on a device. */
export async function memberOnDevice(
  service: TestService,
  name: string,
): Promise<{ member: TestMember; device: string }> {
  const made = await service.member(name, { at: null, password: PASSWORD });
  const { access, refresh, device } = await service.call(logIn, { user_id: name, password: PASSWORD });
  return { member: service.memberAt({ ...made, access, refresh }), device: device! };
}

export async function logInOn(
  service: TestService,
  member: TestMember,
  device: string | null,
): Promise<TestMember> {
  const form = { user_id: member.user_id, password: PASSWORD, device };
  const { access, refresh } = await service.call(logIn, form);
  return service.memberAt({ ...member, access, refresh });
}

/** Returns the code in the newest email to the address. */
export async function requestNewAddress(
  mailbox: Mailbox,
  member: TestMember,
  email: string,
): Promise<string> {
  const before = mailbox.emails(email).length;
  await member.call(requestEmailCode, { email });
  return (await mailbox.waitForEmail(email, before + 1)).code!;
}

export async function moveTo(
  mailbox: Mailbox,
  member: TestMember,
  email: string,
  more: { others_read?: boolean } = {},
): Promise<void> {
  const code = await requestNewAddress(mailbox, member, email);
  await member.call(changeEmail, { email, code, password: PASSWORD, ...more });
}

/** The token in the link of the `nth` email to the address. */
export async function linkIn(mailbox: Mailbox, email: string, nth = 1): Promise<string> {
  const { text } = await mailbox.waitForEmail(email, nth);
  const token = /^https?:\S+#(\S+)$/m.exec(text)?.[1];
  if (token === undefined) throw new Error(`no link in: ${text}`);
  return token;
}
