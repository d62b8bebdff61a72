import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { getOptions, likeUser, neverAgain, passUser, undoPass } from "@alcove/contract/discovery";
import { saveVisibility } from "@alcove/contract/profiles";
import { blockUser, unblockUser } from "@alcove/contract/safety";
import { suspendMember } from "../accounts/index.ts";
import { grantMembership } from "../membership/index.ts";
import { DAY_MS } from "../platform/clock.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { shownTo } from "../testing/member-calls.ts";
import { rounds } from "../testing/rounds.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { expectError, type TestMember, type TestService } from "../testing/test-service.ts";

const pass = (who: TestMember, userId: string) => who.call(passUser, { unlikedId: userId });
const like = (who: TestMember, userId: string) => who.call(likeUser, { likedId: userId });
const undo = async (who: TestMember) => (await who.call(undoPass, {})).user?.user_id ?? null;
const offeredTo = async (who: TestMember) =>
  (await who.call(getOptions, {})).passed_yesterday?.user_id ?? null;

async function cityOf(service: TestService, count: number): Promise<Map<string, TestMember>> {
  service.clock.set("2026-05-01T10:00:00Z");
  const women = new Map<string, TestMember>();
  for (let i = 0; i < count; i++)
    women.set(`woman${i}`, await service.member(`woman${i}`, { sex: "female", search_sex: "male" }));
  return women;
}

/** A free member, and the card that they pass. */
async function passToday(service: TestService, name: string): Promise<{ taro: TestMember; card: string }> {
  const taro = await service.member(name, { sex: "male", search_sex: "female" });
  const [card] = await shownTo(taro);
  await pass(taro, card!);
  return { taro, card: card! };
}

async function tomorrow(service: TestService, member: TestMember): Promise<TestMember> {
  service.clock.advance(DAY_MS);
  return logInAgain(service, member);
}

test("brings the card passed yesterday back in place of today's, once, and deals no second card", async () => {
  const service = await serviceForTest();
  await cityOf(service, 3);
  const { taro: yesterday, card } = await passToday(service, "taro");
  expect(await offeredTo(yesterday)).toBeNull();
  const taro = await tomorrow(service, yesterday);
  const [newCard] = await shownTo(taro);
  expect(newCard).not.toBe(card);
  expect(await offeredTo(taro)).toBe(card);

  const { user } = await taro.call(undoPass, {});

  expect(user).toMatchObject({ user_id: card, distance: 10 });
  expect(await shownTo(taro)).toEqual([card]);
  expect([await offeredTo(taro), await undo(taro)]).toEqual([null, null]);
  await like(taro, card);
  expect(await taro.call(getOptions, {})).toMatchObject({ options: [], reason: "card_used" });
  await expectError(like(taro, newCard!), "upgrade_required");
  await expectError(pass(taro, newCard!), "upgrade_required");
});

test("undoes nothing of yesterday once today's card is decided, and nothing of the day before", async () => {
  const service = await serviceForTest();
  await cityOf(service, 6);
  const first = await passToday(service, "taro");
  const second = await passToday(service, "jiro");

  const taro = await tomorrow(service, first.taro);
  const [card] = await shownTo(taro);
  await pass(taro, card!);
  expect([await offeredTo(taro), await undo(taro)]).toEqual([null, card]); // that of today
  expect([await offeredTo(taro), await undo(taro)]).toEqual([null, null]);

  const jiro = await tomorrow(service, second.taro);
  expect([await offeredTo(jiro), await undo(jiro)]).toEqual([null, null]);
});

test("keeps the other new cards of a day with several, but no more of them", async () => {
  const service = await serviceForTest({ config: { freeCardsPerDay: 3 } });
  await cityOf(service, 9);
  const { taro: yesterday, card } = await passToday(service, "taro");
  const taro = await tomorrow(service, yesterday);
  const newCards = await shownTo(taro);
  expect(newCards).toHaveLength(3);

  expect(await undo(taro)).toBe(card);

  expect(await shownTo(taro)).toEqual([card, ...newCards.slice(0, 2)]);
});

interface Passed {
  readonly service: TestService;
  readonly taro: TestMember;
  readonly card: TestMember;
}

const ENDS: readonly [string, (passed: Passed) => Promise<unknown>][] = [
  ["that member blocked them", ({ taro, card }) => card.call(blockUser, { userId: taro.user_id })],
  [
    "they blocked that member for a while",
    async ({ taro, card }) => {
      await taro.call(blockUser, { userId: card.user_id });
      await taro.call(unblockUser, { userId: card.user_id });
    },
  ],
  ["they passed for good", ({ taro, card }) => taro.call(neverAgain, { userId: card.user_id })],
  ["that member paused", ({ card }) => card.call(saveVisibility, { paused: true })],
  ["that member is suspended", ({ service, card }) => suspendMember(service.ctx, card.memberId)],
  [
    "they paid meanwhile",
    ({ service, taro }) =>
      grantMembership(service.ctx, taro.memberId, {
        year: 0,
        month: 1,
        source: "operator",
        grantId: randomUUID(),
      }),
  ],
];

test("undoes nothing of yesterday that a block, a pass for good, a setting or a membership followed", async () => {
  const service = await serviceForTest();
  const women = await cityOf(service, 30);
  const passed: [string, TestMember][] = [];
  for (const [index, [name, end]] of ENDS.entries()) {
    const { taro, card } = await passToday(service, `taro${index}`);
    await end({ service, taro, card: women.get(card)! });
    passed.push([name, taro]);
  }
  service.clock.advance(DAY_MS);

  for (const [name, member] of passed) {
    const taro = await logInAgain(service, member);
    expect([name, await offeredTo(taro), await undo(taro)]).toEqual([name, null, null]);
  }
});

test("counts the like of the returned member again, and makes a match of it", async () => {
  const service = await serviceForTest();
  const women = await cityOf(service, 1);
  const { taro: yesterday } = await passToday(service, "taro");
  await like(women.get("woman0")!, "taro");
  const taro = await tomorrow(service, yesterday);

  expect(await undo(taro)).toBe("woman0");

  expect(await like(taro, "woman0")).toEqual({ matched: true });
});

test("gives one decision when undoes, fetches and decisions of the next day arrive at the same time", async () => {
  const service = await serviceForTest();
  const { db, clock } = service;
  await cityOf(service, 4);
  let taro = await service.member("taro", { sex: "male", search_sex: "female" });
  for (let round = 0; round < rounds(12); round++) {
    for (const table of ["verdicts", "last_verdicts", "quota_days", "decks"] as const)
      await db.deleteFrom(table).execute();
    const [card] = await shownTo(taro);
    await pass(taro, card!);
    taro = await tomorrow(service, taro);
    const [newCard] = await shownTo(taro);

    await Promise.all([
      ...Array.from({ length: 4 }, () => undo(taro)),
      ...Array.from({ length: 3 }, () => shownTo(taro)),
      ...[card!, newCard!, card!, newCard!].map((one) =>
        pass(taro, one).catch((error: { code: string }) => error.code),
      ),
    ]);

    const day = clock.now().toISOString().slice(0, 10);
    const decided = await db.selectFrom("verdicts").select("target").where("day", "=", day).execute();
    const used = await db.selectFrom("quota_days").select("cards_used").orderBy("day_start").execute();
    expect(used.map(({ cards_used }) => cards_used)).toEqual([1, decided.length]);
    expect(decided.length).toBeLessThanOrEqual(1);
    expect((await shownTo(taro)).length).toBe(1 - decided.length);
  }
});
