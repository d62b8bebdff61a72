import { randomUUID } from "node:crypto";
import { afterEach, expect, test } from "vitest";
import { deleteAccount } from "@alcove/contract/accounts";
import { getBrokerageFee, getTransfers, transferBrokerage } from "@alcove/contract/referral";
import { readOperatorActions } from "../../../accounts/index.ts";
import { DAY_MS } from "../../../platform/clock.ts";
import { reconcileTransfers } from "../../../referral/index.ts";
import { logInAgain } from "../../../testing/log-in-again.ts";
import { serviceForTest } from "../../../testing/service-for-test.ts";
import { buy, fakePayPalForFile } from "../../../testing/paypal.ts";
import { expectError, type TestService } from "../../../testing/test-service.ts";
import { type Fields, OperatorError } from "../command-line.ts";
import { parseCommand } from "./index.ts";

const { paypal, config } = await fakePayPalForFile();
afterEach(() => paypal.clearFaults());

async function operator(
  { ctx, databaseUrl }: TestService,
  line: string,
): Promise<Record<string, string | null>[]> {
  const { run, reason } = parseCommand(line.split(" "))!;
  return [(await run(ctx, reason, { databaseUrl })) as Fields | Fields[]].flat();
}

/** Hanako has earned USD 16, and her transfer got no response from PayPal. */
async function hanakoWhoTransfers(mood: "hanging up" | "hanging up after") {
  const service = await serviceForTest({ config });
  const hanako = await service.member("hanako", { at: null });
  const taro = await service.member("taro", { at: null, invitedBy: hanako.memberId });
  await buy(paypal, taro, { year: 1 });
  await paypal.injectFault({ call: "create payout", fault: mood });
  await hanako.call(transferBrokerage, { email: "payee@example.com", price: 16 });
  return { service, hanako };
}

test("polls PayPal at once and does not return a payout that PayPal may have", async () => {
  const { service } = await hanakoWhoTransfers("hanging up after");

  const [{ id }] = (await operator(service, "payouts list")) as [{ id: string }];
  await expect(operator(service, `payouts return ${id}`)).rejects.toThrow("may still be sent");
  const one = await operator(service, `payouts reconcile ${id}`);
  const all = await operator(service, "payouts reconcile");

  expect(one).toMatchObject([{ state: "accepted", user_id: "hanako", amount: "16.00 USD" }]);
  expect(all).toEqual([{ looked: "1", failed: "0" }]);
  const log = await readOperatorActions(service.ctx, null);
  expect(log).toContainEqual(expect.objectContaining({ action: "payouts reconcile one", subject: "hanako" }));
  expect(JSON.stringify(log)).not.toContain(id);
  const nobodys = "payouts reconcile 00000000-0000-4000-8000-000000000000";
  for (const line of [nobodys, "payouts list --member nobody-here"])
    await expect(operator(service, line)).rejects.toThrow(OperatorError);
});

test("returns an unconfirmed payout once, after the retry period", async () => {
  const { service, hanako } = await hanakoWhoTransfers("hanging up");
  service.clock.advance(21 * DAY_MS);
  await reconcileTransfers(service.ctx);

  const [listed] = await operator(service, "payouts list --member HANAKO");
  expect(listed).toMatchObject({ user_id: "hanako", state: "sending", next_look_at: null });
  const [given] = await operator(service, `payouts return ${listed!["id"]} --reason looked`);
  await expect(operator(service, `payouts return ${listed!["id"]}`)).rejects.toThrow(OperatorError);

  expect(given).toMatchObject({ state: "failed" });
  const back = await logInAgain(service, hanako);
  expect(await back.call(getBrokerageFee, {})).toMatchObject({ available: 16, received: 0 });
});

/** Hanako has earned USD 16, and her transfer got no response from PayPal. */
async function hanakoWhoEarned(settingsOfShop = config) {
  const service = await serviceForTest({ config: settingsOfShop });
  const hanako = await service.member("hanako", { at: null });
  const taro = await service.member("taro", { at: null, invitedBy: hanako.memberId });
  await buy(paypal, taro, { year: 1 });
  return { service, hanako };
}

/** Hanako before books that were restored, and what PayPal paid her since the backup, which they do not have. */
async function hanakoWhoWasPaid() {
  const lost = await hanakoWhoEarned();
  await lost.hanako.call(transferBrokerage, { email: `${randomUUID()}@example.com`, price: 16 });
  const [paid] = await lost.service.db.selectFrom("transfers").selectAll().execute();
  const { service, hanako } = await hanakoWhoEarned();
  const claim = `payouts import hanako --amount 16.00 --currency USD`;
  const settle = (to: "RETURNED" | "FAILED") => paypal.settlePayout(paid!.payout_batch_id!, to);
  return { service, hanako, id: paid!.transfer_id, batch: paid!.payout_batch_id!, claim, settle };
}

const entriesOf = ({ db }: TestService) =>
  db
    .selectFrom("ledger_entries")
    .select(["kind", "usd_cents"])
    .where("transfer_id", "is not", null)
    .orderBy("usd_cents")
    .execute();

test("imports a missing payout once, also with parallel imports", async () => {
  const { service, hanako, id, batch, claim } = await hanakoWhoWasPaid();
  expect(await hanako.call(getBrokerageFee, {})).toMatchObject({ available: 16, received: 0 });

  const lines = Array.from({ length: 20 }, () => operator(service, `${claim} --batch ${batch}`));
  const answers = (await Promise.all(lines)).flat();
  const again = await operator(service, `${claim} --batch ${batch} --sender-id ${id} --reason twice`);

  expect(answers.filter((answer) => answer["was_recorded_before"] === "no")).toHaveLength(1);
  expect(again).toMatchObject([
    {
      id,
      user_id: "hanako",
      amount: "16.00 USD",
      state: "paid",
      paypal_batch_id: batch,
      was_recorded_before: "yes",
      available: "0.00 USD",
      received: "16.00 USD",
    },
  ]);
  expect(await entriesOf(service)).toEqual([{ kind: "transfer", usd_cents: -1_600 }]);
  expect(await hanako.call(getBrokerageFee, {})).toMatchObject({ available: 0, received: 16 });
  expect((await hanako.call(getTransfers, {})).transfers).toMatchObject([{ id, status: "completed" }]);
  await expectError(
    hanako.call(transferBrokerage, { email: "payee@example.com", price: 16 }),
    "transfer_differs",
  );
  const log = await readOperatorActions(service.ctx, null);
  expect(log).toContainEqual(
    expect.objectContaining({ action: "payouts import", subject: "hanako", reason: "twice" }),
  );
  expect(log).toHaveLength(21);
  expect(JSON.stringify(log)).not.toContain(id);
});

test("imports a payout for one member when several imports run in parallel", async () => {
  const { service, batch, claim } = await hanakoWhoWasPaid();
  for (let i = 0; i < 4; i++) await service.member(`her${i}`, { at: null });
  // Nothing is asked of PayPal, so that all come at the same moment.
  const there = { ...service, ctx: { ...service.ctx, payoutReader: null } };

  for (let round = 1; round <= 10; round++) {
    const id = randomUUID();
    const claims = Array.from({ length: 4 }, (_, i) => claim.replace("hanako", `her${i}`));
    const done = await Promise.allSettled(claims.map((one) => operator(there, `${one} --sender-id ${id}`)));

    expect(done.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await entriesOf(service)).toHaveLength(round);
  }
  await operator(service, `${claim} --batch ${batch}`);
  const her = `${claim.replace("hanako", "her0")} --batch ${batch}`;
  await expect(operator(service, her)).rejects.toThrow("Another member has");
});

test("imports a returned payout by PayPal's item id, with its amount available", async () => {
  const { service, hanako, batch, claim, settle } = await hanakoWhoWasPaid();
  const item = (await service.ctx.payoutReader!.showPayout(batch)).item!;
  await operator(service, `${claim} --item ${item.payoutItemId}`);
  await settle("RETURNED");

  const [returned] = await operator(service, `${claim} --item ${item.payoutItemId}`);
  await operator(service, `${claim} --batch ${batch}`);

  expect(returned).toMatchObject({ state: "returned", available: "16.00 USD", received: "0.00 USD" });
  expect(await entriesOf(service)).toEqual([
    { kind: "transfer", usd_cents: -1_600 },
    { kind: "transfer_returned", usd_cents: 1_600 },
  ]);
  expect(await hanako.call(getBrokerageFee, {})).toMatchObject({ available: 16, received: 0 });
});

test("imports a payout above the balance and makes it negative", async () => {
  const { service, batch, claim } = await hanakoWhoWasPaid();
  await service.db.deleteFrom("ledger_entries").execute();

  expect(await operator(service, `${claim} --batch ${batch}`)).toMatchObject([
    { available: "-16.00 USD", received: "16.00 USD" },
  ]);
});

test("does not import a payout that PayPal does not confirm", async () => {
  const { service, batch, claim, id } = await hanakoWhoWasPaid();
  const refusedLine = (line: string, words: string) => expect(operator(service, line)).rejects.toThrow(words);

  await refusedLine(`${claim} --batch NOBODYS`, "PayPal could not be reached");
  await refusedLine(`${claim} --item NOBODYS`, "PayPal could not be reached");
  await refusedLine(`${claim.replace("16.00", "16.01")} --batch ${batch}`, "PayPal paid 16.00 USD");
  await refusedLine(`${claim} --batch ${batch} --sender-id ${randomUUID()}`, `another id of ours: ${id}`);
  await refusedLine(`${claim} --sender-id ${id}`, "add --batch or --item");
  await refusedLine(`${claim.replace("hanako", "nobody")} --batch ${batch}`, "There is no member");
  await paypal.injectFault({ call: "show payout", fault: "hanging up" });
  await refusedLine(`${claim} --batch ${batch}`, "PayPal could not be reached");

  expect(await entriesOf(service)).toEqual([]);
});

test("does not import a payout that was returned or archived", async () => {
  const { service, hanako, batch, claim, settle } = await hanakoWhoWasPaid();
  await operator(service, `${claim} --batch ${batch}`);
  await service.db.updateTable("transfers").set({ state: "failed" }).execute();
  await expect(operator(service, `${claim} --batch ${batch}`)).rejects.toThrow("its amount was returned");
  await settle("RETURNED");
  await expect(operator(service, `${claim} --batch ${batch}`)).resolves.toMatchObject([{ state: "failed" }]);

  await hanako.call(deleteAccount, {});
  const others = `${claim.replace("hanako", "taro")} --batch ${batch}`;
  await expect(operator(service, others)).rejects.toThrow("its member was deleted");
});

test("imports a payout once under our id when PayPal cannot be reached", async () => {
  const { service, hanako } = await hanakoWhoEarned();
  const ctx = { ...service.ctx, payments: null, payoutReader: null };
  const there = { ...service, ctx };
  const claim = "payouts import hanako --amount 16 --currency USD";
  const id = randomUUID();

  await expect(operator(there, `${claim} --batch B1`)).rejects.toThrow("add --sender-id");
  await operator(there, `${claim} --sender-id ${id.toUpperCase()}`);
  const [again] = await operator(there, `${claim} --sender-id ${id} --batch B1`);
  const other = `${claim.replace("16", "17")} --sender-id ${id}`;
  await expect(operator(there, other)).rejects.toThrow("with another amount");

  expect(again).toMatchObject({ id, state: "accepted", was_recorded_before: "yes", available: "0.00 USD" });
  expect(await hanako.call(getBrokerageFee, {})).toMatchObject({ available: 0, received: 16 });
});
