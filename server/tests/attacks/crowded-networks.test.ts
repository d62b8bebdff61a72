import { expect, test } from "vitest";
import { likeUser } from "@alcove/contract/discovery";
import { getLastDms } from "@alcove/contract/messaging";
import { reportUser } from "@alcove/contract/safety";
import { createMember, openSession } from "../../src/accounts/index.ts";
import { completeMissedMatches } from "../../src/discovery/matches/matches.ts";
import { listCases } from "../../src/cases/index.ts";
import { readOpenReports } from "../../src/testing/cases.ts";
import { logInAgain } from "../../src/testing/log-in-again.ts";
import { serviceForTest } from "../../src/testing/service-for-test.ts";
import { rounds } from "../../src/testing/rounds.ts";
import { sampleProfile } from "../../src/testing/profile.ts";
import { eventually, type TestMember, type TestService } from "../../src/testing/test-service.ts";
import { endWaits } from "../../src/moderation/sign-up-networks.ts";

const on = { config: { delaysCrowdedNetworks: true, freeCardsPerDay: 9 } };

async function signUpFrom(service: TestService, userId: string, network: string): Promise<TestMember> {
  const profile = sampleProfile({ sex: "male" });
  const account = {
    userId,
    password: null,
    email: null,
    language: "en",
    profile,
    iconProcess: false,
  } as const;
  const { memberId } = await createMember(service.ctx, { ...account, network });
  return service.memberAt({
    user_id: userId,
    memberId,
    ...(await openSession(service.ctx, memberId)),
  } as TestMember);
}

/** Five accounts of one network, then a sixth. */
async function sixthOf(service: TestService): Promise<TestMember> {
  for (let i = 0; i < 5; i++) await signUpFrom(service, `crowd-${i}`, "203.0.113.7");
  return signUpFrom(service, "crowd-5", "203.0.113.7");
}

const likesReceived = (service: TestService, { memberId }: TestMember) =>
  service.db.selectFrom("likes_received").select("actor").where("target", "=", memberId).execute();

test("delivers the likes of the sixth account of a network and day after 24 hours", async () => {
  const service = await serviceForTest(on);
  service.clock.set("2026-05-05T12:30:00Z");
  const [hanako, fumiko] = [await service.member("hanako"), await service.member("fumiko")];
  const taro = await sixthOf(service);

  expect(await taro.call(likeUser, { likedId: "hanako" })).toEqual({ matched: false });
  expect(await hanako.call(likeUser, { likedId: "crowd-5" })).toEqual({ matched: false });
  await taro.call(likeUser, { likedId: "fumiko" });
  const days = service.db
    .selectFrom("quota_days")
    .select("cards_used")
    .where("member_no", "=", taro.memberId);
  expect(await days.execute()).toEqual([{ cards_used: 2 }]);
  service.clock.set("2026-05-06T12:59:00Z");
  await endWaits(service.ctx);
  await completeMissedMatches(service.ctx);
  expect(await likesReceived(service, fumiko)).toEqual([]);
  expect(await service.db.selectFrom("match_edges").selectAll().execute()).toEqual([]);

  service.clock.set("2026-05-06T13:00:00Z");
  await endWaits(service.ctx);

  await eventually(async () => {
    const again = await logInAgain(service, hanako);
    expect((await again.call(getLastDms, {})).matches).toMatchObject([{ user_id: "crowd-5" }]);
  });
  expect(await likesReceived(service, fumiko)).toEqual([{ actor: taro.memberId }]);
});

test("lets exactly five of many sign-ups at the same time begin without a wait", async () => {
  const service = await serviceForTest(on);
  const waiting = service.db.selectFrom("sign_up_networks").select("waits_until");

  for (let round = 0; round < rounds(16); round++) {
    const network = `203.0.113.${round}`;
    await Promise.all(
      Array.from({ length: 4 }, (_, i) => signUpFrom(service, `early-${round}-${i}`, network)),
    );
    await Promise.all(
      Array.from({ length: 4 }, (_, i) => signUpFrom(service, `late-${round}-${i}`, network)),
    );
    const delays = (await waiting.execute()).filter(({ waits_until }) => waits_until !== null);
    expect(delays).toHaveLength(3 * (round + 1));
  }
});

test("shows reports of such an account last, and delays nothing of the fifth or with the setting off", async () => {
  const service = await serviceForTest(on);
  const hanako = await service.member("hanako");
  const jiro = await service.member("jiro");
  const last = await sixthOf(service);
  await last.call(reportUser, { userId: "hanako", reason: "underage" });
  await jiro.call(reportUser, { userId: "crowd-0", reason: "spam" });

  const reporters = (await readOpenReports(service.ctx)).map(({ reporter }) => reporter);
  expect(reporters).toEqual(["jiro", "crowd-5"]);
  const reasons = (await listCases(service.ctx, { limit: 10, offset: 0 })).map(({ reason }) => reason);
  expect(reasons).toEqual(["spam", "underage"]);
  const before = service.db.selectFrom("sign_up_networks").select("waits_until").orderBy("member_no");
  expect((await before.execute()).map(({ waits_until }) => waits_until !== null)).toEqual([
    false,
    false,
    false,
    false,
    false,
    true,
  ]);

  const off = await serviceForTest({ config: { freeCardsPerDay: 9 } });
  const other = await off.member("hanako");
  const taro = await sixthOf(off);
  await taro.call(likeUser, { likedId: "hanako" });
  expect(await likesReceived(off, other)).toEqual([{ actor: taro.memberId }]);
  expect(await likesReceived(service, hanako)).toEqual([]);
});
