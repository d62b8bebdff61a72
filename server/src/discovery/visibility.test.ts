import { expect, test } from "vitest";
import { getOwnUser } from "@alcove/contract/accounts";
import { getOptions, getUser, likeUser, passUser, undoPass } from "@alcove/contract/discovery";
import { sendDm } from "@alcove/contract/messaging";
import { saveFilter, saveVisibility } from "@alcove/contract/profiles";
import { restoreMember, suspendMember } from "../accounts/index.ts";
import { endPauses } from "../profiles/index.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { match } from "../testing/match.ts";
import { like, shownTo } from "../testing/member-calls.ts";
import {
  countCells,
  EVERYONE,
  listSearchables,
  SEARCH_PATHS,
  searcher,
  viewerOf,
} from "../testing/searchers.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { type CallError, expectError, type TestMember } from "../testing/test-service.ts";
import { ONLY_LIKED_SHIFT } from "./search/mutual-filter.ts";
import { search } from "./search/search.ts";

const pageOf = (whom: TestMember, who: TestMember) => who.call(getUser, { userId: whom.user_id });

test("hides a paused member from all but matches, and shows them again afterwards", async () => {
  const { member } = await serviceForTest();
  const taro = await member("taro", { paid: true, sex: "male", search_sex: "female" });
  const jiro = await member("jiro", { sex: "male", search_sex: "female" });
  const saburo = await member("saburo", {
    sex: "male",
    search_sex: "female",
    paid: true,
  });
  const hanako = await member("hanako", { sex: "female", search_sex: "male" });
  await match(saburo, hanako);
  expect([await shownTo(taro), await shownTo(jiro)]).toEqual([["hanako"], ["hanako"]]);

  const { user } = await hanako.call(saveVisibility, { paused: true });

  expect(user).toMatchObject({ paused: true, paused_until: null, only_liked: false });
  expect([await shownTo(taro), await shownTo(jiro)]).toEqual([[], []]);
  for (const who of [taro, jiro]) await expectError(pageOf(hanako, who), "user_not_found");
  await expectError(like(taro, hanako), "user_not_found");
  expect((await pageOf(hanako, saburo)).matched).toBe(true);
  await saburo.call(sendDm, { receiverId: "hanako", description: "Good evening." });
  await hanako.call(sendDm, { receiverId: "saburo", description: "Good evening." });

  await hanako.call(saveVisibility, { paused: false });
  expect([await shownTo(taro), await shownTo(jiro)]).toEqual([["hanako"], ["hanako"]]);
  expect((await pageOf(hanako, taro)).user.user_id).toBe("hanako");
});

test("gives a paused member no cards, and rejects likes and passes without using the quota", async () => {
  const { member, db } = await serviceForTest();
  const hanako = await member("hanako", { sex: "female", search_sex: "male", paid: true });
  const taro = await member("taro", { sex: "male", search_sex: "female" });
  await hanako.call(saveVisibility, { paused: true });

  const { options, reason, likes_left } = await hanako.call(getOptions, {});
  expect([options, reason, likes_left]).toEqual([[], "paused", 50]);
  const aiko = await member("aiko", { at: null });
  await expectError(aiko.call(getOptions, {}), "location_required");
  await aiko.call(saveVisibility, { paused: true });
  expect(await aiko.call(getOptions, {})).toEqual({ options: [], reason: "paused" });
  expect((await expectError(like(hanako, taro), "paused")).status).toBe(422);
  await expectError(hanako.call(passUser, { unlikedId: "taro" }), "paused");
  await expectError(hanako.call(likeUser, { likedId: "nobody" }), "paused");

  expect(await db.selectFrom("quota_days").selectAll().execute()).toEqual([]);
});

test("keeps a paused member hidden through a suspension and a change of the filter", async () => {
  const { member, ctx, db } = await serviceForTest();
  const hanako = await member("hanako");
  await hanako.call(saveVisibility, { paused: true });
  await hanako.call(saveFilter, { search_max_range: 40 });
  await suspendMember(ctx, hanako.memberId);
  await restoreMember(ctx, hanako.memberId);
  expect(await db.selectFrom("searchables").select("member_no").execute()).toEqual([]);
});

test("ends a pause when its day begins in the member's zone", async () => {
  const service = await serviceForTest();
  service.clock.set("2026-05-01T12:00:00Z");
  let hanako = await service.member("hanako", { sex: "female", search_sex: "male" });
  let taro = await service.member("taro", {
    sex: "male",
    search_sex: "female",
    paid: true,
  });
  const { path, headers } = { path: "/en/users/api/user", headers: { "time-zone": "Asia/Tokyo" } };
  await hanako.fetch(path, { headers });
  await hanako.call(saveVisibility, { paused: true, paused_until: "2026-05-03" });

  for (const [at, isPaused] of [
    ["2026-05-02T14:59:59Z", true],
    ["2026-05-02T15:00:00Z", false],
  ] as const) {
    service.clock.set(at);
    await endPauses(service.ctx);
    [hanako, taro] = [await logInAgain(service, hanako), await logInAgain(service, taro)];
    expect((await hanako.call(getOwnUser, {})).user).toMatchObject({
      paused: isPaused,
      paused_until: isPaused ? "2026-05-03" : null,
    });
    const page = pageOf(hanako, taro);
    if (isPaused) await expectError(page, "user_not_found");
    else expect((await page).user.user_id).toBe("hanako");
  }
  expect(await shownTo(taro)).toEqual(["hanako"]);
});

test("accepts only a day ahead, of a pause, and drops it with the pause", async () => {
  const service = await serviceForTest();
  service.clock.set("2026-05-01T12:00:00Z");
  const hanako = await service.member("hanako");
  const errorsOf = async (change: object) => {
    const error: unknown = await hanako.call(saveVisibility, change).catch((reason: unknown) => reason);
    return (error as CallError).body["validation_errors"];
  };
  expect(await errorsOf({ paused_until: "2026-05-02" })).toEqual({ paused: ["required"] });
  expect(await errorsOf({ paused: true, paused_until: "2026-05-01" })).toEqual({
    paused_until: ["date_passed"],
  });
  expect(await errorsOf({ paused: true, paused_until: "2026-02-30" })).toEqual({
    paused_until: ["date_invalid"],
  });

  await hanako.call(saveVisibility, { paused: true, paused_until: "2026-05-02" });
  expect((await hanako.call(saveVisibility, { only_liked: true })).user).toMatchObject({
    paused: true,
    paused_until: "2026-05-02",
    only_liked: true,
  });
  expect((await hanako.call(saveVisibility, { paused: false })).user).toMatchObject({ paused_until: null });
});

test("shows a member who chose so only to those whom they liked, and to matches", async () => {
  const { member } = await serviceForTest();
  const hanako = await member("hanako", { paid: true, sex: "female", search_sex: "male" });
  const taro = await member("taro", { paid: true, sex: "male", search_sex: "female" });
  const jiro = await member("jiro", { sex: "male", search_sex: "female" });
  const shiro = await member("shiro", { paid: true, sex: "male", search_sex: "female" });
  expect(await shownTo(shiro)).toEqual(["hanako"]);
  await hanako.call(saveVisibility, { only_liked: true });
  for (const who of [taro, jiro, shiro]) {
    expect(await shownTo(who)).toEqual([]);
    await expectError(pageOf(hanako, who), "user_not_found");
  }

  await like(hanako, taro);
  await like(hanako, jiro);
  expect([await shownTo(taro), await shownTo(jiro), await shownTo(shiro)]).toEqual([
    ["hanako"],
    ["hanako"],
    [],
  ]);
  await taro.call(passUser, { unlikedId: "hanako" });
  expect((await pageOf(hanako, taro)).verdict).toBe("pass");
  expect((await taro.call(undoPass, {})).user?.user_id).toBe("hanako");
  expect(await like(taro, hanako)).toEqual({ matched: true });
  expect((await pageOf(hanako, taro)).matched).toBe(true);
});

test("lets two members who chose so never meet", async () => {
  const { member } = await serviceForTest();
  const hanako = await member("hanako", { paid: true, sex: "female", search_sex: "male" });
  const taro = await member("taro", { paid: true, sex: "male", search_sex: "female" });
  for (const who of [hanako, taro]) await who.call(saveVisibility, { only_liked: true });

  expect([await shownTo(hanako), await shownTo(taro)]).toEqual([[], []]);
  await expectError(like(taro, hanako), "user_not_found");
  await expectError(like(hanako, taro), "user_not_found");
});

test.each(SEARCH_PATHS)(
  "shows none of 300 viewers a member who shows to the liked only: %s",
  async (_, times) => {
    const service = await serviceForTest();
    const filterFor = (sex: "male" | "female") => ({ ...EVERYONE, sex });
    const women = Array.from({ length: 40 }, (__, i) =>
      searcher({ memberId: i + 1, filter: filterFor("male") }),
    );
    const men = Array.from({ length: 300 }, (__, i) =>
      searcher({ memberId: 100 + i, sex: "male", filter: filterFor("female") }),
    );
    await listSearchables(service, [...women, ...men]);
    await service.db
      .updateTable("searchables")
      .set((set) => ({ sought_sexes: set("sought_sexes", "*", 1 << ONLY_LIKED_SHIFT) }))
      .where("member_no", "=", 1)
      .execute();
    await countCells(service, times);

    for (const man of men) {
      const { memberIds } = await search(service.ctx, viewerOf(man), 60);
      expect(memberIds).toHaveLength(39);
      expect(memberIds).not.toContain(1);
    }
  },
);
