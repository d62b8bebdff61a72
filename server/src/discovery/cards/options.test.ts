import { expect, test } from "vitest";
import { getOwnUser } from "@alcove/contract/accounts";
import { getOptions, getUser, likeUser, passUser, saveLocation } from "@alcove/contract/discovery";
import { saveFilter } from "@alcove/contract/profiles";
import { findMemberId } from "../../members/find-member.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../platform/clock.ts";
import { rounds } from "../../testing/rounds.ts";
import { logInAgain } from "../../testing/log-in-again.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { expectError, type TestMember } from "../../testing/test-service.ts";

const TOKYO: [number, number] = [139.7671, 35.6812];
const KYOTO: [number, number] = [135.7588, 34.9858];
/** Twenty kilometres from Tokyo: out of a range of 10, wherever the secret places are. The move counts after some minutes. */
const OUTSIDE = "139.99,35.6812";

async function shownTo(who: TestMember, ids?: string): Promise<string[]> {
  const { options } = await who.call(getOptions, ids === undefined ? {} : { ids });
  return options.map((option) => option.user_id);
}

test("shows only candidates where each side's sex, age and distance admits the other", async () => {
  const { member, clock } = await serviceForTest();
  clock.set("2026-06-15T12:00:00Z");
  const taro = await member("taro", {
    paid: true,
    sex: "male",
    date_of_birth: "1980-01-01",
    search_sex: "female",
    search_min_age: 40,
    search_max_age: 45,
    search_max_range: 100,
  });
  const woman = { sex: "female", date_of_birth: "1984-01-01" } as const;
  await member("fits", woman);
  await member("a_man", { ...woman, sex: "male" });
  await member("seeks_women", { ...woman, search_sex: "female" });
  await member("seeks_younger", { ...woman, search_max_age: 45 });
  await member("seeks_older", { ...woman, search_min_age: 47 });
  await member("too_far", { ...woman, at: KYOTO });
  await member("wants_distance", { ...woman, search_min_range: 10 });
  await member("turns_40_today", { sex: "female", date_of_birth: "1986-06-15" });
  await member("turns_40_tomorrow", { sex: "female", date_of_birth: "1986-06-16" });
  await member("turns_46_today", { sex: "female", date_of_birth: "1980-06-15" });
  await member("turns_46_tomorrow", { sex: "female", date_of_birth: "1980-06-16" });
  await member("nowhere", { ...woman, at: null });

  expect((await shownTo(taro)).toSorted()).toEqual(["fits", "turns_40_today", "turns_46_tomorrow"]);
});

test("applies each side's range in its own unit", async () => {
  const { member } = await serviceForTest();
  const taro = await member("taro", { paid: true, sex: "male", at: TOKYO, search_max_range: 250 });
  const hanako = await member("hanako", { paid: true, sex: "female", at: KYOTO });

  expect(await shownTo(taro)).toEqual([]);
  expect(await shownTo(hanako)).toEqual([]);
  await taro.call(saveFilter, { search_range_unit: "mile" });

  expect(await shownTo(taro)).toEqual(["hanako"]);
  expect(await shownTo(hanako)).toEqual(["taro"]);
  const [asHeSeesHer] = (await taro.call(getOptions, {})).options;
  const [asSheSeesHim] = (await hanako.call(getOptions, {})).options;
  expect(asHeSeesHer).toMatchObject({ distance: 250, distance_unit: "mile" });
  expect(asSheSeesHim).toMatchObject({ distance: 500, distance_unit: "km" });
});

test("shows likers first, then near and recently active members", async () => {
  const service = await serviceForTest();
  const { member, clock } = service;
  clock.set("2026-05-01T00:00:00Z");
  await member("near_but_long_away");
  await member("far_away_liker", { at: [139.0, 36.0] });
  clock.advance(40 * DAY_MS);
  const taro = await member("taro", { paid: true });
  await member("near_and_here");
  await member("far_and_here", { at: [138.0, 36.0] });
  const later = await member("likes_later", { at: [138.2, 36.1] });
  const farAwayLiker = await logInAgain(service, {
    ...taro,
    memberId: (await findMemberId(service.ctx, "far_away_liker"))!,
    user_id: "far_away_liker",
  });
  await farAwayLiker.call(likeUser, { likedId: "taro" });

  const first = await shownTo(taro);
  await later.call(likeUser, { likedId: "taro" });
  const second = await shownTo(taro);

  expect(first[0]).toBe("far_away_liker");
  expect(first.indexOf("near_and_here")).toBeLessThan(first.indexOf("far_and_here"));
  expect(first.indexOf("near_and_here")).toBeLessThan(first.indexOf("near_but_long_away"));
  expect(new Set(second.slice(0, 2))).toEqual(new Set(["far_away_liker", "likes_later"]));
});

test("returns ten candidates per fetch, without those that the client shows", async () => {
  const { member } = await serviceForTest();
  const taro = await member("taro", { paid: true });
  const names = Array.from({ length: 25 }, (_, i) => `person_${i}`);
  for (const name of names) await member(name);

  const first = await shownTo(taro);
  const second = await shownTo(taro, first.map((id) => id.toUpperCase()).join(","));
  const third = await shownTo(taro, [...first, ...second].join(", "));

  expect([first.length, second.length, third.length]).toEqual([10, 10, 5]);
  expect([...first, ...second, ...third].toSorted()).toEqual(names.toSorted());
  expect(await taro.call(getOptions, { ids: names.join() })).toMatchObject({
    options: [],
    reason: "all_seen",
  });
  expect(await shownTo(taro)).toEqual(first);
});

test("ignores non-existent and malformed ids", async () => {
  const { member } = await serviceForTest();
  const taro = await member("taro", { paid: true });
  await member("hanako");

  for (const ids of [
    ",,,",
    "nobody",
    "a\u0000b",
    "'; drop table decks; --",
    "😀,\u202E",
    "x".repeat(5_000),
    " ",
  ]) {
    expect(await shownTo(taro, ids)).toEqual(["hanako"]);
  }
  await expectError(taro.call(getOptions, { ids: "x".repeat(5_001) }), "invalid_input");
});

test("drops a candidate after a verdict, suspension, move or filter change with the next response", async () => {
  const { member, db, ctx, clock } = await serviceForTest();
  const taro = await member("taro", { paid: true, sex: "male" });
  const names = ["liked", "passed", "suspended", "moved", "of_other_mind", "deleted", "stays"];
  const people = new Map<string, TestMember>();
  for (const name of names) people.set(name, await member(name, { sex: "female", search_max_range: 3 }));
  expect((await shownTo(taro)).toSorted()).toEqual(names.toSorted());

  await taro.call(likeUser, { likedId: "liked" });
  await taro.call(passUser, { unlikedId: "passed" });
  const { memberId } = people.get("suspended")!;
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable("members")
      .set({ account_status: "suspended" })
      .where("member_no", "=", memberId)
      .execute();
    await ctx.domainEvents.emit(tx, "member_suspended", { memberId });
  });
  clock.advance(5 * MINUTE_MS);
  await people.get("moved")!.call(saveLocation, { location: OUTSIDE });
  await people.get("of_other_mind")!.call(saveFilter, { search_sex: "female" });
  await people.get("deleted")!.fetch("/en/users/api/user", { method: "DELETE" });

  expect(await shownTo(taro)).toEqual(["stays"]);
  await db.transaction().execute(async (tx) => {
    await tx
      .updateTable("members")
      .set({ account_status: "active" })
      .where("member_no", "=", memberId)
      .execute();
    await ctx.domainEvents.emit(tx, "member_restored", { memberId });
  });
  expect((await shownTo(taro)).toSorted()).toEqual(["stays", "suspended"]);
});

test("never shows an excluded member from a stale deck", async () => {
  const { member, db } = await serviceForTest();
  const taro = await member("taro", { paid: true, sex: "male" });
  const hanako = await member("hanako", { sex: "female" });
  const fits = await Promise.all(Array.from({ length: 12 }, (_, i) => member(`f${i}`, { sex: "female" })));
  await taro.call(getOptions, {});
  const before = await db.selectFrom("decks").select("rev").executeTakeFirstOrThrow();
  await db
    .updateTable("decks")
    .set({ ids: [hanako.memberId, taro.memberId, 999_999, ...fits.map(({ memberId }) => memberId)] })
    .execute();

  await hanako.call(saveFilter, { search_min_range: 10 });

  const shown = await shownTo(taro);
  expect(shown).toHaveLength(10);
  expect(shown.filter((id) => !id.startsWith("f"))).toEqual([]);
  expect(await db.selectFrom("decks").select("rev").executeTakeFirstOrThrow()).toEqual(before);
});

test("shows a passed member again at once when PASS_DAYS is 0", async () => {
  const { member } = await serviceForTest({ config: { passDays: 0 } });
  const taro = await member("taro", { paid: true });
  await member("hanako");

  for (let i = 0; i < 3; i++) {
    await taro.call(passUser, { unlikedId: "hanako" });
    expect(await shownTo(taro)).toEqual(["hanako"]);
  }
});

test("shows a passed member again on the day after PASS_DAYS, not before", async () => {
  const service = await serviceForTest({ config: { passDays: 90 } });
  const { member, clock } = service;
  clock.set("2026-05-01T10:20:30Z");
  const taro = await member("taro", { paid: true });
  const hanako = await member("hanako");
  await taro.call(passUser, { unlikedId: "hanako" });

  clock.set(new Date(Date.parse("2026-05-02T00:00:00Z") + 90 * DAY_MS - 1));
  await (await logInAgain(service, hanako)).call(getOwnUser, {}); // cards show present members only
  const again = await logInAgain(service, taro);
  expect(await again.call(getOptions, {})).toMatchObject({ options: [], reason: "all_seen" });
  clock.advance(1);
  expect(await shownTo(again)).toEqual(["hanako"]);
});

test("returns the reason for an empty list: nobody in range, filters too narrow, or all seen", async () => {
  const { member } = await serviceForTest();
  const taro = await member("taro", { paid: true, sex: "male" });
  expect(await taro.call(getOptions, {})).toMatchObject({ options: [], reason: "nobody_in_range" });

  await member("hanako", { sex: "female", date_of_birth: "1980-01-01" });
  await taro.call(saveFilter, { search_max_age: 20 });
  expect(await taro.call(getOptions, {})).toMatchObject({
    options: [],
    reason: "filters_too_narrow",
    suggestion: "wider_age",
  });

  await taro.call(saveFilter, { search_max_age: null });
  expect(await shownTo(taro)).toEqual(["hanako"]);
  await taro.call(likeUser, { likedId: "hanako" });
  expect(await taro.call(getOptions, {})).toMatchObject({ options: [], reason: "all_seen" });
});

test("rejects a fetch without a position, and shows profiles without a distance", async () => {
  const { member } = await serviceForTest();
  const taro = await member("taro", { at: null });
  await member("hanako");

  expect((await expectError(taro.call(getOptions, {}), "location_required")).status).toBe(422);
  const { user } = await taro.call(getUser, { userId: "hanako" });
  expect(user.distance).toBeNull();
});

test("keeps the daily card until it is used, regardless of position and of filters that admit it", async () => {
  const service = await serviceForTest();
  const { member, clock } = service;
  clock.set("2026-05-01T08:00:00Z");
  const taro = await member("taro", { sex: "male", search_max_range: 3 });
  for (let i = 0; i < 12; i++) await member(`woman_${i}`, { sex: "female" });
  for (let i = 0; i < 12; i++) await member(`man_${i}`, { sex: "male" });
  await taro.call(saveFilter, { search_sex: "female" });

  const responses = await Promise.all(Array.from({ length: 20 }, () => shownTo(taro)));
  const [card] = responses[0]!;
  expect(new Set(responses.map((response) => response.join()))).toEqual(new Set([card]));

  await taro.call(saveFilter, { search_sex: "all" });
  expect(await shownTo(taro)).toEqual([card]);
  await taro.call(saveFilter, { search_sex: "female" });
  clock.advance(5 * MINUTE_MS);
  await taro.call(saveLocation, { location: OUTSIDE });
  expect(await shownTo(taro)).toEqual([card]);
  clock.advance(5 * MINUTE_MS);
  await taro.call(saveLocation, { location: TOKYO.join() });
  clock.advance(13 * HOUR_MS);
  const evening = await logInAgain(service, taro);
  expect(await shownTo(evening)).toEqual([card]);

  await evening.call(likeUser, { likedId: card! });
  expect(await evening.call(getOptions, {})).toMatchObject({
    options: [],
    reason: "card_used",
    next_card_at: "2026-05-02T00:00:00.000Z",
  });
  clock.set("2026-05-02T00:00:00Z");
  const [next] = await shownTo(await logInAgain(service, taro));
  expect(next).toMatch(/^woman_/);
});

test("replaces the daily card once a day when the viewer's changed filter no longer admits it", async () => {
  const service = await serviceForTest();
  const { member, clock } = service;
  clock.set("2026-05-01T08:00:00Z");
  let taro = await member("taro", { sex: "male", search_max_range: 500 });
  await member("far_woman", { sex: "female", at: KYOTO });
  expect(await shownTo(taro)).toEqual(["far_woman"]);
  for (const sex of ["female", "male"] as const) await member(`near_${sex}`, { sex });

  await taro.call(saveFilter, { search_max_range: 50, search_sex: "female" });
  const responses = await Promise.all(Array.from({ length: 10 }, () => shownTo(taro)));
  expect(new Set(responses.flat())).toEqual(new Set(["near_female"]));
  await taro.call(saveFilter, { search_sex: "male" });
  expect(await shownTo(taro)).toEqual(["near_female"]);

  clock.set("2026-05-02T08:00:00Z");
  taro = await logInAgain(service, taro);
  expect(await shownTo(taro)).toEqual(["near_male"]);
  await taro.call(saveFilter, { search_sex: "female" });
  expect(await shownTo(taro)).toEqual(["near_female"]);
});

test("takes the daily card away when a changed filter admits nobody, and deals one for the next filter", async () => {
  const { member } = await serviceForTest();
  const taro = await member("taro", { sex: "male" });
  await member("woman", { sex: "female" });
  expect(await shownTo(taro)).toEqual(["woman"]);

  await taro.call(saveFilter, { search_sex: "male" });
  expect(await taro.call(getOptions, {})).toMatchObject({
    options: [],
    reason: "filters_too_narrow",
    suggestion: "all_sexes",
  });
  await taro.call(saveFilter, { search_sex: "all" });
  expect(await shownTo(taro)).toEqual(["woman"]);
  await taro.call(saveFilter, { search_sex: "male" });
  expect(await shownTo(taro)).toEqual(["woman"]);
});

test("replaces at most one card when the filter changes during the deal", async () => {
  const { member } = await serviceForTest();
  for (let i = 0; i < 3; i++) {
    await member(`woman_${i}`, { sex: "female" });
    await member(`man_${i}`, { sex: "male" });
  }

  for (let i = 0; i < rounds(15); i++) {
    const taro = await member(`taro_${i}`, { sex: "male", search_sex: "female", search_max_age: 140 });
    const requests = Array.from({ length: 8 }, async (_, n) => {
      if (n === 3) await taro.call(saveFilter, { search_sex: "male" });
      return shownTo(taro);
    });
    expect(new Set((await Promise.all(requests)).flat()).size).toBeLessThanOrEqual(2);
  }
});

test("replaces the daily card when its member becomes unavailable", async () => {
  const service = await serviceForTest();
  const { member } = service;
  const taro = await member("taro", { sex: "male", search_max_range: 3 });
  const women = new Map<string, TestMember>();
  for (let i = 0; i < 4; i++) women.set(`woman_${i}`, await member(`woman_${i}`, { sex: "female" }));
  const shown: string[] = [];
  const card = async () => {
    const [id] = await shownTo(taro);
    shown.push(id!);
    return women.get(id!)!;
  };

  await (await card()).fetch("/en/users/api/user", { method: "DELETE" });
  await (await card()).call(saveFilter, { search_sex: "female" });
  service.clock.advance(5 * MINUTE_MS);
  await (await card()).call(saveLocation, { location: OUTSIDE });
  await card();

  expect(new Set(shown).size).toBe(4);
});

test("deals no more cards than the day's quota", async () => {
  const { member } = await serviceForTest({ config: { freeCardsPerDay: 13 } });
  const taro = await member("taro");
  for (let i = 0; i < 30; i++) await member(`person_${i}`);

  const first = await shownTo(taro);
  const second = await shownTo(taro, first.join());
  expect([first.length, second.length]).toEqual([10, 3]);
  for (const unlikedId of first) await taro.call(passUser, { unlikedId });
  expect((await shownTo(taro)).toSorted()).toEqual(second.toSorted());
  await taro
    .call(likeUser, { likedId: "person_29" })
    .catch(() => taro.call(likeUser, { likedId: "person_28" }));
  expect((await shownTo(taro)).length).toBe(2);
});

test("returns no position, birth date, filter, account status or time of a candidate", async () => {
  const { member } = await serviceForTest();
  const taro = await member("taro", { paid: true });
  await member("hanako", { username: "Hana" });

  const response = await taro.fetch("/en/users/api/get-options");
  const [candidate] = ((await response.json()) as { options: Record<string, unknown>[] }).options;

  expect(candidate).toMatchObject({ user_id: "hanako", username: "Hana", distance: 10, distance_unit: "km" });
  expect(Object.keys(candidate!)).not.toEqual(
    expect.arrayContaining([
      expect.stringMatching(/email|birth|location|search|status|standing|gps|active|no$/),
    ]),
  );
});
