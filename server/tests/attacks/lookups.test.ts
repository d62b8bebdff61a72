import { expect, test } from "vitest";
import { deleteAccount } from "@alcove/contract/accounts";
import { getOptions, getUser, likeUser, passUser } from "@alcove/contract/discovery";
import { saveVisibility } from "@alcove/contract/profiles";
import { blockUser, unblockUser } from "@alcove/contract/safety";
import { sendDm } from "@alcove/contract/messaging";
import { DAY_MS, HOUR_MS } from "../../src/platform/clock.ts";
import { logInAgain } from "../../src/testing/log-in-again.ts";
import { hanakoAndTaro } from "../../src/testing/match.ts";
import { serviceForTest } from "../../src/testing/service-for-test.ts";
import { recordStatements } from "../../src/testing/statements.ts";
import { expectError, type TestMember } from "../../src/testing/test-service.ts";
import { NAMING, namingCalls, respondToName } from "./naming-calls.ts";

const withLimits = { config: { hasRateLimits: true } };

async function lookUpUnknown(member: TestMember, times: number): Promise<void> {
  for (let i = 0; i < times; i++)
    await expectError(member.call(getUser, { userId: `unknown${i}` }), "user_not_found");
}

test("knows every call of a member that names another one", () => {
  expect(namingCalls.map(({ name }) => name).toSorted()).toEqual(Object.keys(NAMING).toSorted());
});

test("no call shows whether a user id exists, except those that count it", async () => {
  const { member } = await serviceForTest(withLimits);
  const jiro = await member("jiro", { at: null });
  await member("stranger", { at: null });

  for (const call of namingCalls.filter(
    ({ costs, name }) => costs.learns === "nothing" || name === "getOptions",
  ))
    expect(await respondToName(jiro, call, "stranger")).toBe(await respondToName(jiro, call, "unknown"));
});

test("looks up thirty unknown user ids an hour, then rejects strangers and unknown user ids alike in every call", async () => {
  const service = await serviceForTest(withLimits);
  const jiro = await service.member("jiro", { at: null });
  await service.member("stranger", { at: null });
  await jiro.call(getUser, { userId: "stranger" });
  await lookUpUnknown(jiro, 30);

  const counting = namingCalls.filter(({ costs }) => ["user_id", "profile"].includes(costs.learns));
  expect(counting.map(({ name }) => name).toSorted()).toEqual([
    "blockUser",
    "getUser",
    "likeUser",
    "neverAgain",
    "passUser",
    "pressThreat",
    "reportUser",
    "unblockUser",
  ]);
  for (const call of counting) {
    expect(await respondToName(jiro, call, "stranger")).toMatch(/^\w+ 429 /);
    expect(await respondToName(jiro, call, "stranger")).toBe(await respondToName(jiro, call, "unknown"));
  }
  const statementsAbout = async (userId: string) =>
    recordStatements(() => expectError(jiro.call(getUser, { userId }), "too_many_requests"));
  expect(await statementsAbout("stranger")).toEqual(await statementsAbout("unknown"));
  await jiro.call(getUser, { userId: "jiro" });

  service.clock.advance(HOUR_MS);
  await (await logInAgain(service, jiro)).call(getUser, { userId: "stranger" });
});

test("opens sixty profiles of strangers a day, then rejects unknown user ids too", async () => {
  const service = await serviceForTest(withLimits);
  const jiro = await service.member("jiro", { at: null });
  await service.member("stranger", { at: null });
  for (let i = 0; i < 60; i++) await jiro.call(getUser, { userId: "stranger" });

  for (const userId of ["stranger", "unknown"]) {
    const { body } = await expectError(jiro.call(getUser, { userId }), "too_many_requests");
    expect(body["error_message"]).toBe("You have reached the limit for now. You can go on within 24 hours.");
  }

  service.clock.advance(DAY_MS);
  await (await logInAgain(service, jiro)).call(getUser, { userId: "stranger" });
});

test("finds members whom the account has met when its lookups are used up, and no stranger who blocked it", async () => {
  const service = await serviceForTest(withLimits);
  const { hanako, taro } = await hanakoAndTaro(service);
  const [liked, passed, blocked, dealt] = await Promise.all(
    ["liked", "passed", "blocked", "dealt"].map((name) => service.member(name, { sex: "male" })),
  );
  const unseen = await service.member("unseen", { at: null });
  await hanako.call(getOptions, {});
  await hanako.call(sendDm, { receiverId: "taro", description: "Good evening." });
  await hanako.call(likeUser, { likedId: liked!.user_id });
  await hanako.call(passUser, { unlikedId: passed!.user_id });
  await hanako.call(blockUser, { userId: blocked!.user_id });
  for (const other of [taro, unseen]) await other.call(blockUser, { userId: "hanako" });
  await lookUpUnknown(hanako, 30);

  for (const { user_id } of [liked!, passed!, dealt!]) await hanako.call(getUser, { userId: user_id });
  await expectError(hanako.call(getUser, { userId: "taro" }), "user_not_found");
  await expectError(hanako.call(getUser, { userId: "blocked" }), "user_not_found");
  await hanako.call(unblockUser, { userId: "blocked" });
  await expectError(hanako.call(getUser, { userId: "unseen" }), "too_many_requests");
});

test.each([
  ["the card of the day is used", { paid: false }, "upgrade_required", [likeUser, passUser]],
  ["the likes of the day are used", { paid: true }, "likes_used_up", [likeUser]],
] as const)("looks up no user id when %s, and repeats the verdict", async (_, options, code, verdicts) => {
  const service = await serviceForTest({ config: { hasRateLimits: true, paidLikesPerDay: 1 } });
  const hanako = await service.member("hanako", { ...options, sex: "female" });
  for (const name of ["taro", "stranger"]) await service.member(name, { sex: "male" });
  await hanako.call(likeUser, { likedId: "taro" });

  for (const userId of ["stranger", "unknown"])
    for (const call of verdicts)
      await expectError(
        call === likeUser ? hanako.call(call, { likedId: userId }) : hanako.call(call, { unlikedId: userId }),
        code,
      );

  expect(await hanako.call(likeUser, { likedId: "taro" })).toEqual({ matched: false });
});

test("a used-up quota rejects a liked member who hides like one who left", async () => {
  const service = await serviceForTest({ config: { freeCardsPerDay: 2 } });
  const hanako = await service.member("hanako", { sex: "female" });
  const pausing = await service.member("pausing", { sex: "male" });
  const leaving = await service.member("leaving", { sex: "male" });
  for (const { user_id } of [pausing, leaving]) await hanako.call(likeUser, { likedId: user_id });
  await pausing.call(saveVisibility, { paused: true });
  await leaving.call(deleteAccount, {});

  for (const userId of ["pausing", "leaving"]) {
    await expectError(hanako.call(likeUser, { likedId: userId }), "upgrade_required");
    await expectError(hanako.call(passUser, { unlikedId: userId }), "upgrade_required");
  }
});

test("counts no lookups when limits are off", async () => {
  const { member } = await serviceForTest();

  await lookUpUnknown(await member("jiro", { at: null }), 31);
});
