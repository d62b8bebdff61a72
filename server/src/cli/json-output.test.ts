import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import { transferBrokerage } from "@alcove/contract/referral";
import { reportUser } from "@alcove/contract/safety";
import { DAY_MS } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import { at, emptyPlace, folder } from "../testing/restore-target.ts";
import { serviceOfTest } from "../testing/match.ts";
import { buy, paypalOfFile } from "../testing/paypal.ts";
import type { Facts, Told } from "./command-line.ts";
import { groups, helpFor, readCommand } from "./commands/index.ts";

const { paypal, config } = await paypalOfFile();

/** The names in an answer; `list.name` for those in a list. */
function namesIn(told: Told): string[] {
  return Object.entries(told).flatMap(([name, value]) => {
    const inner = Array.isArray(value) ? (value as Facts[]).flatMap((one) => namesIn(one)) : [];
    return [name].concat(inner.map((one) => `${name}.${one}`));
  });
}

test("every name that any command answers is explained by its page of help, and every one explained is answered", async () => {
  const service = await serviceOfTest({ config });
  const hanako = await service.member("hanako", { at: null });
  const taro = await service.member("taro", { at: null, invitedBy: hanako.memberId });
  const bought = await buy(paypal, taro, { year: 1 });
  await hanako.ask(reportUser, { userId: "taro", reason: "spam" });
  await paypal.wish({ call: "create payout", mood: "hanging up" });
  await hanako.ask(transferBrokerage, { email: "payee@example.com", price: 16 });
  const lost = { batchId: randomUUID(), itemId: randomUUID(), email: "payee@example.com", cents: 2_000 };
  const { payoutBatchId } = await service.ctx.payments!.createPayout(lost);

  const answered = new Map<string, Set<string>>();
  const operator = async (line: string, ctx: AppContext = service.ctx, { databaseUrl } = service) => {
    const words = line.split(" ");
    const told = [await readCommand(words)!.run(ctx, null, { databaseUrl })].flat() as Told[];
    expect(told, line).not.toHaveLength(0);
    const act = words[1]!.startsWith("-") ? words[0]! : words.slice(0, 2).join(" ");
    const names = answered.get(act) ?? new Set();
    answered.set(act, new Set([...names, ...told.flatMap(namesIn)]));
    return told[0] as Facts;
  };
  await operator("members find --email taro@example.com");
  await operator("members show taro");
  await operator("members show hanako");
  await operator("members grant taro --month 1");
  const { id: report } = await operator("reports list");
  await operator(`reports resolve ${report!}`);
  await operator("coupons create --id SPRING --month 1 --max-uses 3 --expires-at 2100-01-01");
  await operator("coupons list");
  await operator("coupons disable SPRING");
  await operator("orders list");
  await operator(`orders reconcile ${bought.order_id}`);
  await operator("orders reconcile");
  service.clock.advance(21 * DAY_MS);
  const { id: payout } = await operator("payouts list");
  await operator(`payouts reconcile ${payout!}`);
  await operator("payouts reconcile");
  await operator(`payouts give-back ${payout!}`);
  await operator(`payouts record hanako --amount 20 --currency USD --batch ${payoutBatchId}`);
  await operator("payments show");
  const { path } = await operator(`backup --to ${join(await folder(), "backup.tar")}`);
  await operator(`backup check ${path!}`);
  const place = await emptyPlace(service);
  await at(service, place, (ctx) => operator(`restore --from ${path!}`, ctx, { ...service, ...place }));
  await at(service, place, (ctx) => operator("payments release", ctx, { ...service, ...place }));
  await operator("members suspend taro");
  await operator("members restore taro");
  await operator("members delete taro");
  await operator("log list");

  const acts = Object.entries(groups).flatMap(([group, some]) =>
    Object.entries(some).map(([name, act]) => [`${group} ${name}`.trimEnd(), act] as const),
  );
  for (const [name, { tells }] of acts)
    expect([...(answered.get(name) ?? [])].toSorted(), name).toEqual(Object.keys(tells).toSorted());
  for (const [group, some] of Object.entries(groups))
    for (const field of Object.values(some).flatMap(({ tells }) => Object.keys(tells)))
      expect(helpFor([group])).toContain(`\n  ${field} `);
}, 60_000);
