import { expect, test } from "vitest";
import { suspendMember } from "../accounts/index.ts";
import { referralTests } from "../testing/referral.ts";
import { eventually } from "../testing/test-service.ts";

const { shop, buy } = await referralTests();

test("opens a case about a buyer who pays with the PayPal account of a suspended member", async () => {
  const service = await shop();
  const [banned, again, other] = [
    await service.member("banned", { at: null }),
    await service.member("again", { at: null }),
    await service.member("other", { at: null }),
  ];
  await buy(banned, { month: 1, payer: "same@example.com" });
  await suspendMember(service.ctx, banned.memberId);

  await buy(other, { month: 1, payer: "other@example.com" });
  await buy(again, { month: 1, payer: "Same@Example.com" });

  const returned = service.db.selectFrom("cases").select(["accused_no", "similar_to"]);
  await eventually(async () =>
    expect(await returned.where("kind", "=", "returned").execute()).toEqual([
      { accused_no: again.memberId, similar_to: banned.memberId },
    ]),
  );
});

test("opens a case about a buyer who paid with that account before the suspension", async () => {
  const service = await shop();
  const [banned, second, other] = [
    await service.member("banned", { at: null }),
    await service.member("second", { at: null }),
    await service.member("other", { at: null }),
  ];
  await buy(banned, { month: 1, payer: "same@example.com" });
  await buy(second, { month: 1, payer: "same+1@example.com" });
  await buy(other, { month: 1, payer: "other@example.com" });

  await suspendMember(service.ctx, banned.memberId);

  const returned = service.db.selectFrom("cases").select(["accused_no", "similar_to"]);
  await eventually(async () =>
    expect(await returned.where("kind", "=", "returned").execute()).toEqual([
      { accused_no: second.memberId, similar_to: banned.memberId },
    ]),
  );
  await eventually(async () => expect((await service.ctx.jobs.readQueue(service.db)).due).toBe(0));
});
