import { sql } from "kysely";
import { expect, test } from "vitest";
import { getOwnUser } from "@alcove/contract/accounts";
import { getOptions, likeUser, passUser } from "@alcove/contract/discovery";
import { widenings } from "@alcove/contract/suggestions";
import { saveFilter } from "@alcove/contract/profiles";
import { addNeverSee, blockUser } from "@alcove/contract/safety";
import { DAY_MS, SECOND_MS } from "../../platform/clock.ts";
import { logInAgain } from "../../testing/log-in-again.ts";
import { serviceForTest } from "../../testing/service-for-test.ts";
import { eventually, type TestMember } from "../../testing/test-service.ts";
import { clearCellCounts } from "../search/cell-counts.ts";

const NAGOYA: [number, number] = [136.9, 35.17];
const HE = { sex: "male", date_of_birth: "1985-01-01", paid: true, search_sex: "female" } as const;
const SHE = { sex: "female", date_of_birth: "1985-01-01" } as const;
const OLDER = "1955-01-01";
const NEAR_AND_YOUNG = { search_max_range: 30, search_min_age: 30, search_max_age: 45 };

const adviceTo = async (member: TestMember) => {
  const { options, reason, suggestion } = await member.call(getOptions, {});
  expect(options).toEqual([]);
  return [reason, suggestion ?? null];
};
const KYOTO: [number, number] = [135.77, 35.01];

test("suggests the smallest distance that finds a candidate", async () => {
  const { member } = await serviceForTest();
  const taro = await member("taro", { ...HE, search_max_range: 30 });
  const suggested = async () => (await taro.call(getOptions, {})).suggested_max_range;

  await member("far", { ...SHE, at: KYOTO }); // about 370 km from Tokyo
  expect(await suggested()).toBe(500);
  await member("nearer", { ...SHE, at: [138.39, 34.98] }); // about 145 km
  expect(await suggested()).toBe(250);
  await taro.call(saveFilter, { search_max_range: 250 });

  const { options } = await taro.call(getOptions, {});
  expect(options.map((option) => option.user_id)).toEqual(["nearer"]);
});

test("suggests the one filter change that finds candidates", async () => {
  const { member } = await serviceForTest();
  const taro = await member("taro", { ...HE, ...NEAR_AND_YOUNG });
  const widened = async (suggestion: keyof typeof widenings) => {
    await taro.call(saveFilter, widenings[suggestion]);
    const { options } = await taro.call(getOptions, {});
    await taro.call(saveFilter, { ...NEAR_AND_YOUNG, search_min_range: 0, search_sex: "female" });
    return options.map((option) => option.user_id);
  };
  expect(await adviceTo(taro)).toEqual(["nobody_in_range", null]);

  await member("jiro", { sex: "male" });
  expect(await adviceTo(taro)).toEqual(["filters_too_narrow", "all_sexes"]);
  expect(await widened("all_sexes")).toEqual(["jiro"]);

  await member("older_and_far", { ...SHE, date_of_birth: OLDER, at: NAGOYA });
  expect(await adviceTo(taro)).toEqual(["filters_too_narrow", "wider_distance_and_age"]);
  expect(await widened("wider_distance_and_age")).toEqual(["older_and_far"]);

  await member("older", { ...SHE, date_of_birth: OLDER });
  expect(await adviceTo(taro)).toEqual(["filters_too_narrow", "wider_age"]);
  expect(await widened("wider_age")).toEqual(["older"]);

  await member("far", { ...SHE, at: NAGOYA });
  expect(await adviceTo(taro)).toEqual(["filters_too_narrow", "wider_distance"]);
  expect(await widened("wider_distance")).toEqual(["far"]);

  for (let i = 0; i < 10; i++) await member(`older_${i}`, { ...SHE, date_of_birth: OLDER });
  expect(await adviceTo(taro)).toEqual(["filters_too_narrow", "wider_age"]);

  await taro.call(saveFilter, { search_min_range: 20 });
  expect(await adviceTo(taro)).toEqual(["nobody_in_range", "wider_distance"]);
});

test("suggests no change that finds only seen members again", async () => {
  const service = await serviceForTest();
  const { member, clock } = service;
  const taro = await member("taro", { ...HE, search_max_range: 30 });
  const near = await member("near", SHE);
  await member("far", { ...SHE, at: NAGOYA });

  await taro.call(passUser, { unlikedId: "near" });
  expect(await adviceTo(taro)).toEqual(["all_seen", "wider_distance"]);
  await taro.call(likeUser, { likedId: "far" });
  expect(await adviceTo(taro)).toEqual(["all_seen", null]);

  clock.advance(91 * DAY_MS);
  await (await logInAgain(service, near)).call(getOwnUser, {}); // cards show present members only
  const { options } = await (await logInAgain(service, taro)).call(getOptions, {});
  expect(options.map((option) => option.user_id)).toEqual(["near"]);
});

test("suggests no change because of blocked, hidden, non-mutual or unlocated members", async () => {
  const service = await serviceForTest();
  const { member, db } = service;
  const taro = await member("taro", { ...HE, search_max_range: 30 });
  const [one, two] = [
    await member("one", { ...SHE, at: NAGOYA }),
    await member("two", { ...SHE, at: NAGOYA }),
  ];
  await member("looks_for_women", { ...SHE, at: NAGOYA, search_sex: "female" });
  await member("looks_nearby", { ...SHE, at: NAGOYA, search_max_range: 30 });
  await member("nowhere", { ...SHE, at: null });
  expect(await adviceTo(taro)).toEqual(["nobody_in_range", "wider_distance"]);

  await one.call(blockUser, { userId: "taro" });
  await two.call(addNeverSee, { who: "taro" });
  await eventually(async () =>
    expect(await db.selectFrom("block_edges").selectAll().execute()).toHaveLength(3),
  );

  expect(await adviceTo(taro)).toEqual(["nobody_in_range", null]);
});

test("suggests a change to a free member without a card, but not after a used card", async () => {
  const { member } = await serviceForTest();
  const taro = await member("taro", { ...HE, paid: false, search_max_range: 30 });
  await member("far", { ...SHE, at: NAGOYA });
  expect(await adviceTo(taro)).toEqual(["nobody_in_range", "wider_distance"]);

  await taro.call(likeUser, { likedId: "far" });
  expect(await adviceTo(taro)).toEqual(["card_used", null]);
});

test("repeats an expensive suggestion only after 30 seconds, but shows a new liker at once", async () => {
  const service = await serviceForTest();
  const { member, db, clock } = service;
  clock.set("2026-05-01T08:00:00Z");
  const taro = await member("taro", { ...HE, search_min_age: 60, search_max_age: 61 });
  await member("younger", SHE);
  await sql`
    insert into cell_counts select distinct far_cell, 1, 100000 from searchables
    on conflict (far_cell, sex) do update set members = excluded.members`.execute(db);
  clearCellCounts(service.ctx);
  const rev = async () => (await db.selectFrom("decks").select("rev").executeTakeFirst())?.rev;

  expect(await adviceTo(taro)).toEqual(["filters_too_narrow", "wider_age"]);
  expect(await rev()).toBe(0);
  clock.advance(29 * SECOND_MS);
  expect(await adviceTo(taro)).toEqual(["filters_too_narrow", "wider_age"]);
  expect(await rev()).toBe(0);
  clock.advance(SECOND_MS);
  expect(await adviceTo(taro)).toEqual(["filters_too_narrow", "wider_age"]);
  expect(await rev()).toBe(1);

  const keiko = await member("keiko", { ...SHE, date_of_birth: "1966-01-01" });
  await keiko.call(likeUser, { likedId: "taro" });
  expect((await taro.call(getOptions, {})).options.map((option) => option.user_id)).toEqual(["keiko"]);
});

test("suggests a change for a used-up deck even during the pause of an expensive search", async () => {
  const service = await serviceForTest();
  const { member, db } = service;
  const taro = await member("taro", { ...HE, search_max_range: 30 });
  await member("near", SHE);
  await member("far", { ...SHE, at: NAGOYA });
  await sql`
    insert into cell_counts select distinct far_cell, 1, 100000 from searchables
    on conflict (far_cell, sex) do update set members = excluded.members`.execute(db);
  clearCellCounts(service.ctx);
  const [card] = (await taro.call(getOptions, {})).options;
  expect(card?.user_id).toBe("near");

  await taro.call(likeUser, { likedId: "near" });

  expect(await adviceTo(taro)).toEqual(["all_seen", "wider_distance"]);
});
