import { expect, test } from "vitest";
import { getBrokerageFee, transferBrokerage } from "@alcove/contract/referral";
import { DAY_MS } from "../platform/clock.ts";
import { reconcileTransfers } from "../referral/index.ts";
import { comeBack } from "../testing/come-back.ts";
import { serviceOfTest } from "../testing/match.ts";
import { buy, paypalOfFile } from "../testing/paypal.ts";
import type { TestService } from "../testing/service.ts";
import { OperatorProblem } from "./command-line.ts";
import { readCommand } from "./commands.ts";

const { paypal, settings } = await paypalOfFile();

async function operator(
  { deps, databaseUrl }: TestService,
  line: string,
): Promise<Record<string, string | null>[]> {
  const { run, reason } = readCommand(line.split(" "))!;
  return [await run(deps, reason, { databaseUrl })].flat();
}

/** Hanako, who earned USD 16 and whose transfer of it PayPal gave no answer to. */
async function hanakoWhoTransfers(mood: "hanging up" | "hanging up after") {
  const service = await serviceOfTest({ settings });
  const hanako = await service.member("hanako", { at: null });
  const taro = await service.member("taro", { at: null, invitedBy: hanako.no });
  await buy(paypal, taro, { year: 1 });
  await paypal.wish({ call: "create payout", mood });
  await hanako.ask(transferBrokerage, { email: "payee@example.com", price: 16 });
  return { service, hanako };
}

test("the operator asks PayPal at once, and cannot give back what PayPal may have", async () => {
  const { service } = await hanakoWhoTransfers("hanging up after");

  const [{ id }] = (await operator(service, "payouts list")) as [{ id: string }];
  await expect(operator(service, `payouts give-back ${id}`)).rejects.toThrow("may still be told");
  const one = await operator(service, `payouts reconcile ${id}`);
  const all = await operator(service, "payouts reconcile");

  expect(one).toMatchObject([{ state: "accepted", user_id: "hanako", amount: "16.00 USD" }]);
  expect(all).toEqual([{ looked: "1", failed: "0" }]);
  const log = await service.db.selectFrom("operator_log").select(["act", "subject"]).execute();
  expect(log).toContainEqual({ act: "payouts reconcile one", subject: "hanako" });
  expect(JSON.stringify(log)).not.toContain(id);
  const nobodys = "payouts reconcile 00000000-0000-4000-8000-000000000000";
  for (const line of [nobodys, "payouts list --member nobody-here"])
    await expect(operator(service, line)).rejects.toThrow(OperatorProblem);
});

test("what PayPal never had is given back by the operator when nobody tells PayPal of it any more, once", async () => {
  const { service, hanako } = await hanakoWhoTransfers("hanging up");
  service.clock.advance(21 * DAY_MS);
  await reconcileTransfers(service.deps);

  const [listed] = await operator(service, "payouts list --member HANAKO");
  expect(listed).toMatchObject({ user_id: "hanako", state: "sending", next_look_at: null });
  const [given] = await operator(service, `payouts give-back ${listed!["id"]} --reason looked`);
  await expect(operator(service, `payouts give-back ${listed!["id"]}`)).rejects.toThrow(OperatorProblem);

  expect(given).toMatchObject({ state: "failed" });
  const back = await comeBack(service, hanako);
  expect(await back.ask(getBrokerageFee, {})).toEqual({ available: 16, received: 0 });
});
