import { expect, test } from "vitest";
import { getOptions, getUser, passUser, saveLocation, undoPass } from "@alcove/contract/discovery";
import { saveFilter } from "@alcove/contract/profiles";
import { match } from "../testing/match.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import type { TestMember } from "../testing/test-service.ts";

/** Two kilometres from the position of all members. */
const NEARBY = "139.79,35.6812";

async function dealtTo(who: TestMember, ids?: readonly string[]): Promise<string[]> {
  const { options } = await who.call(getOptions, ids ? { ids: ids.join() } : {});
  expect(options.every(({ distance }) => distance === 10)).toBe(true);
  return options.map((option) => option.user_id);
}

/** The members whose profile page shows a distance. */
async function located(who: TestMember, userIds: readonly string[]): Promise<string[]> {
  const pages = await Promise.all(userIds.map((userId) => who.call(getUser, { userId })));
  return pages.filter(({ user }) => user.distance !== null).map(({ user }) => user.user_id);
}

test("shows a paid member the distance of matches and of candidates dealt to them, and of nobody else", async () => {
  const { member } = await serviceForTest();
  const taro = await member("taro", { paid: true, sex: "male" });
  const names = Array.from({ length: 25 }, (_, i) => `woman_${i}`);
  for (const name of names) await member(name, { sex: "female" });
  expect(await located(taro, names)).toEqual([]);

  const first = await dealtTo(taro);
  expect(first).toHaveLength(10);
  expect((await located(taro, names)).toSorted()).toEqual(first.toSorted());
  const second = await dealtTo(taro, first);
  expect((await located(taro, names)).toSorted()).toEqual([...first, ...second].toSorted());

  const rest = names.filter((name) => !first.includes(name) && !second.includes(name));
  const hanako = await member("hanako", { sex: "female" });
  await match(taro, hanako);
  expect([5, 10]).toContain((await taro.call(getUser, { userId: "hanako" })).user.distance);
  expect(await located(taro, rest)).toEqual([]);
});

test("shows a free member the distance of the daily card only, used or not", async () => {
  const { member } = await serviceForTest();
  const taro = await member("taro", { sex: "male" });
  const names = Array.from({ length: 5 }, (_, i) => `woman_${i}`);
  for (const name of names) await member(name, { sex: "female" });

  const [card] = await dealtTo(taro);
  expect(await located(taro, names)).toEqual([card]);
  await taro.call(saveLocation, { location: NEARBY });
  expect(await located(taro, names)).toEqual([card]);
  await taro.call(passUser, { unlikedId: card! });

  expect(await located(taro, names)).toEqual([card]);
});

test("shows no distance of former candidates after a move or another filter, until they are dealt again", async () => {
  const { member } = await serviceForTest();
  const taro = await member("taro", { paid: true, sex: "male" });
  await member("hanako", { sex: "female" });
  const changes = [
    () => taro.call(saveLocation, { location: NEARBY }),
    () => taro.call(saveFilter, { search_max_range: 100 }),
  ];

  for (const change of changes) {
    await dealtTo(taro);
    expect(await located(taro, ["hanako"])).toEqual(["hanako"]);
    await change();
    expect(await located(taro, ["hanako"])).toEqual([]);
  }
});

test("returns no distance for an undone pass of a member who was not dealt", async () => {
  const { member } = await serviceForTest();
  const taro = await member("taro", { paid: true, sex: "male" });
  const jiro = await member("jiro", { sex: "male" });
  const hanako = await member("hanako", { sex: "female" });

  for (const viewer of [taro, jiro]) {
    await viewer.call(passUser, { unlikedId: hanako.user_id });
    expect((await viewer.call(undoPass, {})).user).toMatchObject({ user_id: "hanako", distance: null });
  }
  await dealtTo(taro);
  await taro.call(passUser, { unlikedId: hanako.user_id });
  expect((await taro.call(undoPass, {})).user).toMatchObject({ user_id: "hanako", distance: 10 });
});

test("keeps candidates dealt while the deck is rebuilt at the same place", async () => {
  const { member } = await serviceForTest();
  const taro = await member("taro", { paid: true, sex: "male" });
  for (let i = 0; i < 3; i++) await member(`woman_${i}`, { sex: "female" });
  const dealt = await dealtTo(taro);

  await member("late", { sex: "female" });
  await taro.call(passUser, { unlikedId: dealt[0]! });
  await dealtTo(taro, dealt);

  expect((await located(taro, dealt)).toSorted()).toEqual(dealt.toSorted());
});
