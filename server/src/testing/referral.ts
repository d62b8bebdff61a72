import { afterEach } from "vitest";
import { getBrokerageFee, getTransfers } from "@alcove/contract/referral";
import { reconcileTransfers } from "../referral/index.ts";
import { logInAgain } from "./log-in-again.ts";
import { serviceForTest } from "./service-for-test.ts";
import { buy, fakePayPalForFile } from "./paypal.ts";
import type { TestMember, TestService } from "./test-service.ts";

type Plan = Parameters<typeof buy>[2];

/** Adds actions on fees and transfers to the fake PayPal. */
export async function referralTests() {
  const { paypal, config } = await fakePayPalForFile();
  afterEach(() => paypal.clearFaults());
  const buyAs = (member: TestMember, plan?: Plan) => buy(paypal, member, plan);
  const webhooks = ({ url }: TestService) => `${url}/webhooks/paypal`;

  return {
    paypal,
    config,
    webhooks,
    buy: buyAs,
    shop: (changes: typeof config = {}) => serviceForTest({ config: { ...config, ...changes } }),
    hanakoWhoInvitedTaro: (service: TestService, year = 0) => hanakoWhoInvitedTaro(service, buyAs, year),
    async paidOut() {
      const cents = { "paid out": 1, "came back": -1, taken: 0, "given back": 0 };
      return (await paypal.ledger()).reduce((sum, { kind, units }) => sum + cents[kind] * units, 0);
    },
    async deliverAll(service: TestService, of: string, forgery?: "signature") {
      for (const { id, event_type } of await paypal.events())
        if (event_type.includes(of)) await paypal.deliver(id, webhooks(service), forgery);
    },
  };
}

/** Hanako invited Taro, who bought years; USD 16 of each are hers. */
async function hanakoWhoInvitedTaro(
  service: TestService,
  buyAs: (member: TestMember, plan: Plan) => ReturnType<typeof buy>,
  year: number,
) {
  const hanako = await service.member("hanako", { at: null });
  const taro = await service.member("taro", { at: null, invitedBy: hanako.memberId });
  const bought = year > 0 ? await buyAs(taro, { year }) : null;
  return { hanako, taro, bought };
}

export async function balanceOf(member: TestMember) {
  const { available, received } = await member.call(getBrokerageFee, {});
  return { available, received };
}

export async function transfersOf(member: TestMember) {
  const { transfers } = await member.call(getTransfers, {});
  return transfers.map(({ status, amount }) => [status, amount]);
}

/** Advances the clock and runs the job; the member logs in again. */
export async function later(service: TestService, ms: number, member: TestMember): Promise<TestMember> {
  service.clock.advance(ms);
  await reconcileTransfers(service.ctx);
  return logInAgain(service, member);
}
