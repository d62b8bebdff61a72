import { expect, test } from "vitest";
import { likeUser } from "@alcove/contract/discovery";
import { blockUser, unblockUser } from "@alcove/contract/safety";
import type { Tx } from "../platform/db/database.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { rounds } from "../testing/rounds.ts";
import {
  lockAndShare,
  lockBoth,
  lockMember,
  lockMembers,
  lockNewMember,
  shareLockBoth,
  shareLockMember,
  shareLockMembers,
} from "./locks.ts";

const PAIRS = rounds(40);
const MISSING = 999_999_999;

async function pairs() {
  const service = await serviceForTest();
  const members = await Promise.all(
    Array.from({ length: 2 * PAIRS }, (_, i) => service.member(`member${i}`, { at: null })),
  );
  const couples = Array.from({ length: PAIRS }, (_, i) => [members[2 * i]!, members[2 * i + 1]!] as const);
  return { ...service, couples };
}

type Lock = (tx: Tx, one: number, other: number) => Promise<unknown>;

test.each<[string, Lock]>([
  ["lockBoth", lockBoth],
  ["lockMembers", (tx, one, other) => lockMembers(tx, [one, other])],
])("%s does not deadlock when transactions name the same pairs in both directions", async (_, lock) => {
  const { db, couples } = await pairs();

  const transactions = couples.flatMap(([{ memberId: a }, { memberId: b }]) =>
    [
      [a, b],
      [b, a],
    ].map(([one, other]) => db.transaction().execute((tx) => lock(tx, one!, other!))),
  );

  expect(await Promise.all(transactions)).toHaveLength(2 * PAIRS);
});

test("does not deadlock when the members of many pairs like, block and unblock each other at the same time", async () => {
  const { couples } = await pairs();

  const requests = couples.flatMap(([hanako, taro]) => [
    hanako.call(likeUser, { likedId: taro.user_id }),
    taro.call(likeUser, { likedId: hanako.user_id }),
    hanako.call(blockUser, { userId: taro.user_id }),
    taro.call(unblockUser, { userId: hanako.user_id }),
  ]);
  const outcomes = await Promise.allSettled(requests);

  const problems = outcomes.flatMap((outcome) =>
    outcome.status === "rejected" ? [outcome.reason.status] : [],
  );
  expect(problems.filter((status) => status !== 404)).toEqual([]);
});

test("returns which members exist when some are missing", async () => {
  const { db, member } = await serviceForTest();
  const { memberId } = await member("hanako", { at: null });

  await db.transaction().execute(async (tx) => {
    expect(await lockMember(tx, memberId)).toEqual({
      memberId,
      invitedBy: null,
      brokeragePercentage: null,
    });
    expect(await lockMember(tx, MISSING)).toBeNull();
    expect([...(await lockMembers(tx, [MISSING, memberId])).keys()]).toEqual([memberId]);
    expect(await lockBoth(tx, MISSING, memberId)).toBeNull();
    expect(await shareLockMember(tx, MISSING)).toBe(false);
    expect([...(await shareLockMembers(tx, [MISSING, memberId]))]).toEqual([memberId]);
    expect(await shareLockBoth(tx, MISSING, memberId)).toEqual([false, true]);
    expect(await lockAndShare(tx, memberId, MISSING)).toEqual([true, false]);
    expect(await lockNewMember(tx, memberId, new Date(0))).toBe(true);
    expect(await lockNewMember(tx, memberId, new Date("9999-01-01"))).toBe(false);
  });
});
