import { sendDm } from "@alcove/contract/messaging";
import { createMember, openSession } from "../accounts/index.ts";
import type { AppContext } from "../platform/context.ts";
import { withServerParts, temporaryFolder, type RestoreTarget } from "./restore-target.ts";
import { match } from "./match.ts";
import { ownService } from "./service-for-test.ts";
import { buy, type fakePayPalForFile } from "./paypal.ts";
import { sampleProfile } from "./profile.ts";
import { fileOf, quarters } from "./sample-pictures.ts";
import type { TestMember, TestService } from "./test-service.ts";
import { dumpTables } from "./data-traces.ts";
import type { Fields } from "../operator/cli/command-line.ts";
import { parseCommand } from "../operator/cli/commands/index.ts";

type Shop = Awaited<ReturnType<typeof fakePayPalForFile>>;

export const PASSWORD = "quiet-evenings-7";
export const picture = await quarters(64, 64).jpeg().toBuffer();

export async function memberWithAll(service: TestService, userId: string, sex: "female" | "male") {
  const made = await createMember(service.ctx, {
    userId,
    password: PASSWORD,
    email: `${userId}@example.com`,
    language: "ja",
    profile: sampleProfile({ username: `${userId} 花子`, sex }),
    icon: fileOf(picture),
    iconProcess: false,
  });
  const tokens = await openSession(service.ctx, made.memberId);
  return service.memberAt({ user_id: made.userId, memberId: made.memberId, ...tokens } as TestMember);
}

/** The service has pictures, matches, messages, orders and pending emails. */
export async function livingService({ paypal, config }: Shop) {
  const service = await ownService({ config });
  const hanako = await memberWithAll(service, "hanako", "female");
  const taro = await memberWithAll(service, "taro", "male");
  await match(hanako, taro);
  await hanako.call(sendDm, { receiverId: "taro", description: "Good evening\\ 今晩は\n\t🌙" });
  await hanako.call(sendDm, { receiverId: "taro", file: fileOf(picture) });
  await buy(paypal, hanako, { year: 1 });
  return { service, hanako, taro };
}

export async function act(ctx: AppContext, databaseUrl: string, ...words: string[]): Promise<Fields> {
  const { run, reason } = parseCommand(words)!;
  return (await run(ctx, reason, { databaseUrl })) as Fields;
}

export async function backUp({ ctx, databaseUrl }: TestService, to: string): Promise<string> {
  return (await act(ctx, databaseUrl, "backup", "--to", to)).path!;
}

export async function backUpKeys({ ctx, databaseUrl }: TestService): Promise<string> {
  return (await act(ctx, databaseUrl, "keys", "backup", "--to", `${await temporaryFolder()}/`)).path!;
}

/** Uses the newest keys and the list of deletions. */
export async function restore(service: TestService, place: RestoreTarget, path: string, keys?: string) {
  const words = ["restore", "--from", path, "--keys", keys ?? (await backUpKeys(service))];
  const { deletionsDir } = service.ctx.config;
  return withServerParts(service, place, (ctx) =>
    act(ctx, place.databaseUrl, ...words, "--deletions", deletionsDir),
  );
}

export const startedAt = (service: TestService, place: RestoreTarget, config: Shop["config"]) =>
  ownService({ config, beside: { ...service, ...place } });

/** Leaves out tables that a restoration leaves out or writes itself. */
export async function rowsOf(place: { databaseUrl: string }): Promise<string[]> {
  const own =
    /^public\.(kysely_|sessions|socket_tickets|call_outcomes|operator_log|restorations|database_ids|data_keys|master_keys|server_processes|notification_outbox|rate_limits|push_)/;
  return (await dumpTables(place.databaseUrl))
    .filter(({ name }) => name.startsWith("public.") && !own.test(name))
    .map(({ name, text }) => `${name} ${text}`)
    .toSorted();
}
