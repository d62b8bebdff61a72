import { expect, test } from "vitest";
import { getOptions, getUser } from "@alcove/contract/discovery";
import { NEW_FACES_PER_DAY } from "@alcove/contract/limits";
import { DAY_MS } from "../../platform/clock.ts";
import { logInAgain } from "../../testing/log-in-again.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import type { TestMember, TestService } from "../../testing/test-service.ts";

const withLimits = { config: { hasRateLimits: true } };
const LEFT = 3;

/** All but three of today's new faces are used, and eight members are in range. */
async function almostUsedUp(service: TestService, paid = true): Promise<TestMember> {
  service.clock.set("2026-05-01T12:00:00Z");
  const hanako = await service.member("hanako", { sex: "female", paid });
  for (let i = 0; i < 8; i++) await service.member(`man${i}`, { sex: "male" });
  await service.db
    .insertInto("quota_days")
    .values({
      member_no: hanako.memberId,
      day_start: new Date("2026-05-01T00:00:00Z"),
      cards_used: 0,
      likes_used: 0,
      daily_cards: [],
      card_fingerprints: [],
      new_faces: NEW_FACES_PER_DAY - LEFT,
    })
    .execute();
  return hanako;
}

const idsOf = async (member: TestMember, ids?: string) =>
  (await member.call(getOptions, ids === undefined ? {} : { ids })).options.map(({ user_id }) => user_id);

test("deals 250 new faces a day to a paid member, shows them again, and more on the next day", async () => {
  const service = await serviceForTest(withLimits);
  const hanako = await almostUsedUp(service);

  const faces = await idsOf(hanako);
  expect(faces).toHaveLength(LEFT);
  expect(await idsOf(hanako)).toEqual(faces);
  expect(await hanako.call(getOptions, { ids: faces.join(",") })).toEqual({
    options: [],
    reason: "all_seen",
    next_card_at: "2026-05-02T00:00:00.000Z",
    likes_left: 50,
  });
  await hanako.call(getUser, { userId: faces[0]! });

  service.clock.advance(DAY_MS);
  const again = await logInAgain(service, hanako);
  expect(await idsOf(again, faces.join(","))).toHaveLength(8 - LEFT);
});

test("deals no more new faces to parallel requests", async () => {
  const service = await serviceForTest(withLimits);
  const hanako = await almostUsedUp(service);

  const lists = await Promise.all(Array.from({ length: 8 }, () => idsOf(hanako)));

  expect(new Set(lists.flat()).size).toBeLessThanOrEqual(LEFT);
});

test("counts no new faces of free members, and none when limits are off", async () => {
  const limited = await serviceForTest({ config: { hasRateLimits: true, freeCardsPerDay: 8 } });
  expect(await idsOf(await almostUsedUp(limited, false))).toHaveLength(8);

  expect(await idsOf(await almostUsedUp(await serviceForTest()))).toHaveLength(8);
});
