import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { deleteAccount } from "@alcove/contract/accounts";
import { getOptions, likeUser, passUser, undoPass } from "@alcove/contract/discovery";
import { blockUser, unblockUser } from "@alcove/contract/safety";
import { suspendMember } from "../accounts/index.ts";
import { grantMembership } from "../membership/index.ts";
import { rounds } from "../testing/rounds.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { pass, shownTo } from "../testing/member-calls.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { eventually, expectError, type TestMember } from "../testing/test-service.ts";

const undo = async (who: TestMember) => (await who.call(undoPass, {})).user?.user_id ?? null;

test("reverts the last pass once and returns the card of the passed member", async () => {
  const { member } = await serviceForTest();
  const taro = await member("taro", { paid: true, sex: "male" });
  const hanako = await member("hanako", { sex: "female" });
  await member("yuki", { sex: "female" });
  expect(await shownTo(taro)).toHaveLength(2);
  await pass(taro, hanako);
  expect(await shownTo(taro)).toEqual(["yuki"]);

  const response = await taro.call(undoPass, {});

  expect(response.user).toMatchObject({ user_id: "hanako", distance: 10 });
  expect(await undo(taro)).toBeNull();
  expect((await shownTo(taro)).toSorted()).toEqual(["hanako", "yuki"]);
});

test("reverts a like once, keeps its quota used, and asks for none for the next verdict on that card", async () => {
  const { member, db } = await serviceForTest({ config: { paidLikesPerDay: 2 } });
  const taro = await member("taro", { paid: true, sex: "male" });
  const hanako = await member("hanako", { sex: "female" });
  await member("yuki", { sex: "female" });
  const likesLeft = async () => (await taro.call(getOptions, {})).likes_left;
  await taro.call(likeUser, { likedId: "hanako" });

  expect(await undo(taro)).toBe("hanako");
  expect([await undo(taro), await likesLeft()]).toEqual([null, 1]);
  expect((await shownTo(taro)).toSorted()).toEqual(["hanako", "yuki"]);
  expect(await hanako.call(likeUser, { likedId: "taro" })).toEqual({ matched: false });
  expect(await taro.call(likeUser, { likedId: "hanako" })).toEqual({ matched: true });
  expect(await likesLeft()).toBe(1);
  expect(await undo(taro)).toBeNull();

  await taro.call(likeUser, { likedId: "yuki" });
  expect(await undo(taro)).toBe("yuki");
  await pass(taro, await member("ren"));
  await expectError(taro.call(likeUser, { likedId: "yuki" }), "likes_used_up");
  expect(await db.selectFrom("likes_received").selectAll().execute()).toEqual([]);
});

test("lets a free member decide again on the card whose like was undone", async () => {
  const { member } = await serviceForTest();
  const taro = await member("taro", { sex: "male" });
  await member("hanako", { sex: "female" });
  await member("yuki", { sex: "female" });
  const [card] = await shownTo(taro);
  const other = card === "hanako" ? "yuki" : "hanako";
  await taro.call(likeUser, { likedId: card! });

  expect(await undo(taro)).toBe(card);
  await expectError(taro.call(likeUser, { likedId: other }), "upgrade_required");
  await taro.call(passUser, { unlikedId: card! });
  expect(await undo(taro)).toBe(card);
  await taro.call(likeUser, { likedId: card! });
  expect(await undo(taro)).toBe(card);
});

test("reverts nothing on the next day, and no like that a match or a block followed", async () => {
  const service = await serviceForTest();
  const { member, clock } = service;
  clock.set("2026-05-01T10:00:00Z");
  let taro = await member("taro", { paid: true });
  const hanako = await member("hanako");
  const yuki = await member("yuki");

  expect(await undo(taro)).toBeNull();
  await taro.call(likeUser, { likedId: "yuki" });
  await yuki.call(likeUser, { likedId: "taro" });
  expect(await undo(taro)).toBeNull();

  await taro.call(likeUser, { likedId: "hanako" });
  await hanako.call(blockUser, { userId: "taro" });
  expect(await undo(taro)).toBeNull();
  clock.set("2026-05-01T23:59:00Z");
  taro = await logInAgain(service, taro);
  await pass(taro, await member("ren"));
  await pass(taro, yuki); // a like stays one: no new verdict
  clock.set("2026-05-02T00:00:00Z");
  taro = await logInAgain(service, taro);
  expect(await undo(taro)).toBeNull();
});

test("returns the same daily card to a free member", async () => {
  const { member, db } = await serviceForTest();
  const taro = await member("taro", { sex: "male" });
  const women = [];
  for (const name of ["aoi", "emi", "kana", "mika"]) women.push(await member(name, { sex: "female" }));
  const [card] = await shownTo(taro);
  const cardOf = women.find((woman) => woman.user_id === card)!;

  for (let again = 0; again < 5; again++) {
    await pass(taro, cardOf);
    expect(await taro.call(getOptions, {})).toMatchObject({ options: [], reason: "card_used" });
    expect(await undo(taro)).toBe(card);
    expect(await shownTo(taro)).toEqual([card]);
  }

  await taro.call(likeUser, { likedId: card! });
  const other = women.find((woman) => woman !== cardOf)!;
  expect((await expectError(pass(taro, other), "upgrade_required")).status).toBe(402);
  const day = await db
    .selectFrom("quota_days")
    .select(["cards_used", "daily_cards"])
    .executeTakeFirstOrThrow();
  expect(day).toEqual({ cards_used: 1, daily_cards: [String(cardOf.memberId)] });
});

test("deals no extra card when one of several daily cards is returned", async () => {
  const { member } = await serviceForTest({ config: { freeCardsPerDay: 3 } });
  const taro = await member("taro", { sex: "male" });
  const women = new Map<string, TestMember>();
  for (let i = 0; i < 8; i++) women.set(`woman${i}`, await member(`woman${i}`, { sex: "female" }));
  const seen = new Set<string>();

  for (let again = 0; again < 6; again++) {
    const shown = await shownTo(taro);
    for (const name of shown) seen.add(name);
    await pass(taro, women.get(shown[again % shown.length]!)!);
    for (const name of await shownTo(taro)) seen.add(name);
    expect(await undo(taro)).toBe(shown[again % shown.length]);
  }

  expect(await shownTo(taro)).toHaveLength(3);
  expect(seen.size).toBe(3);
});

test("returns only the quota when the passed member was not a daily card", async () => {
  const { member } = await serviceForTest();
  const taro = await member("taro", { sex: "male", search_sex: "female" });
  await member("hanako", { sex: "female" });
  const man = await member("jiro", { sex: "male" });
  expect(await shownTo(taro)).toEqual(["hanako"]);

  await pass(taro, man);
  expect(await shownTo(taro)).toEqual([]);
  expect(await undo(taro)).toBe("jiro");

  expect(await shownTo(taro)).toEqual(["hanako"]);
});

test("deals no second card when passes and reverts arrive at the same time", async () => {
  const { member, db } = await serviceForTest();
  const taro = await member("taro", { sex: "male" });
  const women: TestMember[] = [];
  for (let i = 0; i < 6; i++) women.push(await member(`woman${i}`, { sex: "female" }));
  const [card] = await shownTo(taro);

  for (let round = 0; round < rounds(12); round++) {
    await Promise.all([
      ...women.map((woman) => pass(taro, woman).catch((error: { code: string }) => error.code)),
      ...Array.from({ length: 4 }, () => taro.call(undoPass, {})),
      ...Array.from({ length: 3 }, () => taro.call(getOptions, {})),
    ]);
    const day = await db.selectFrom("quota_days").select(["cards_used"]).executeTakeFirstOrThrow();
    const passes = await db.selectFrom("verdicts").select("target").execute();
    expect(passes.length).toBe(day.cards_used);
    expect(day.cards_used).toBeLessThanOrEqual(1);
    await taro.call(undoPass, {});
  }
  expect(await shownTo(taro)).toEqual([card]);
});

test("counts the passed member's like again without notifying anyone before a match", async () => {
  const { member } = await serviceForTest();
  const taro = await member("taro", { paid: true });
  const hanako = await member("hanako");
  await hanako.call(likeUser, { likedId: "taro" });
  const events = await hanako.socket("/ws/events");

  await pass(taro, hanako);
  expect(await undo(taro)).toBe("hanako");

  expect(events.frames).toEqual([]);
  expect(await shownTo(taro)).toEqual(["hanako"]);
  expect(await taro.call(likeUser, { likedId: "hanako" })).toEqual({ matched: true });
  await eventually(() => expect(events.frames).toMatchObject([{ match: { user_id: "taro" } }]));
});

test("does not return blocked, suspended or deleted members, and reverts no block", async () => {
  const service = await serviceForTest();
  const { member, ctx, db } = service;
  const taro = await member("taro", { paid: true });
  const [blocker, suspended, left, blocked] = [
    await member("blocker"),
    await member("suspended"),
    await member("left"),
    await member("blocked"),
  ];

  await pass(taro, blocker);
  await blocker.call(blockUser, { userId: "taro" });
  expect(await undo(taro)).toBeNull();

  await pass(taro, suspended);
  await suspendMember(ctx, suspended.memberId);
  expect(await undo(taro)).toBeNull();

  await pass(taro, left);
  await left.call(deleteAccount, {});
  expect(await undo(taro)).toBeNull();
  await eventually(async () =>
    expect(
      await db.selectFrom("last_verdicts").where("target", "=", left.memberId).selectAll().execute(),
    ).toEqual([]),
  );

  await pass(taro, blocked);
  await taro.call(blockUser, { userId: "blocked" });
  await taro.call(unblockUser, { userId: "blocked" });
  expect(await undo(taro)).toBeNull();
  expect(await shownTo(taro)).toEqual([]);
});

test("returns no card for a free pass", async () => {
  const { member, ctx, db } = await serviceForTest();
  const taro = await member("taro");
  await pass(taro, await member("hanako"));
  await grantMembership(ctx, taro.memberId, { year: 1, month: 0, source: "operator", grantId: randomUUID() });

  await pass(taro, await member("yuki"));
  expect(await undo(taro)).toBe("yuki");

  expect(await db.selectFrom("quota_days").select("cards_used").execute()).toEqual([{ cards_used: 1 }]);
});
