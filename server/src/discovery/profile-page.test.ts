import { expect, test } from "vitest";
import { getOptions, getUser, undoPass } from "@alcove/contract/discovery";
import { saveProfile } from "@alcove/contract/profiles";
import { blockUser, unblockUser } from "@alcove/contract/safety";
import { socialLinks } from "@alcove/contract/social-links";
import { DAY_MS } from "../platform/clock.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { match } from "../testing/match.ts";
import { like, pass } from "../testing/member-calls.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { expectError, type TestMember } from "../testing/test-service.ts";

const verdictOf = async (who: TestMember, whom: TestMember) =>
  (await who.call(getUser, { userId: whom.user_id })).verdict;

test("returns only the caller's own verdict", async () => {
  const { member } = await serviceForTest();
  const hanako = await member("hanako", { paid: true });
  const taro = await member("taro", { paid: true });

  expect(await verdictOf(hanako, taro)).toBeNull();
  await like(taro, hanako);
  expect(await verdictOf(hanako, taro)).toBeNull();
  expect(await verdictOf(taro, hanako)).toBe("like");

  await pass(hanako, taro);
  expect(await verdictOf(hanako, taro)).toBe("pass");
  await hanako.call(undoPass, {});
  expect(await verdictOf(hanako, taro)).toBeNull();
  await like(hanako, taro);
  expect(await verdictOf(hanako, taro)).toBe("like");
});

test("returns no pass once PASS_DAYS are over", async () => {
  const service = await serviceForTest({ config: { passDays: 3 } });
  const hanako = await service.member("hanako");
  const taro = await service.member("taro");
  await pass(hanako, taro);

  service.clock.advance(4 * DAY_MS);

  expect(await verdictOf(await logInAgain(service, hanako), taro)).toBeNull();
});

test("counts the likes left today for paid members, here and with the candidates", async () => {
  const { member } = await serviceForTest({ config: { paidLikesPerDay: 2 } });
  const hanako = await member("hanako", { paid: true });
  const men = [await member("a_1"), await member("a_2"), await member("a_3")] as const;
  const counts = async () => [
    (await hanako.call(getOptions, {})).likes_left,
    (await hanako.call(getUser, { userId: "a_3" })).likes_left,
  ];

  expect(await counts()).toEqual([2, 2]);
  await pass(hanako, men[1]);
  await like(hanako, men[0]);
  await like(hanako, men[0]);
  expect(await counts()).toEqual([1, 1]);
  await like(hanako, men[1]);
  expect(await counts()).toEqual([0, 0]);

  const free = await men[2].call(getUser, { userId: "hanako" });
  expect(free).not.toHaveProperty("likes_left");
  expect(await men[2].call(getOptions, {})).not.toHaveProperty("likes_left");
});

test("spends the card of the day by a like of a member met on a profile page", async () => {
  const { member } = await serviceForTest();
  const hanako = await member("hanako", { search_sex: "male" });
  const taro = await member("taro", { sex: "male" });
  const yuki = await member("yuki", { sex: "female" });
  const { options } = await hanako.call(getOptions, {});
  expect(options).toMatchObject([{ user_id: "taro" }]);

  await like(hanako, yuki);

  expect(await hanako.call(getOptions, {})).toMatchObject({ options: [], reason: "card_used" });
  await expectError(like(hanako, taro), "upgrade_required");
  expect(await verdictOf(hanako, taro)).toBeNull();
});

test("returns no verdict that only a block left, so that it reveals none", async () => {
  const { member } = await serviceForTest();
  const hanako = await member("hanako", { paid: true });
  const taro = await member("taro", { paid: true });

  await hanako.call(blockUser, { userId: "taro" });
  await expectError(taro.call(getUser, { userId: "hanako" }), "user_not_found");
  await hanako.call(unblockUser, { userId: "taro" });

  expect(await verdictOf(taro, hanako)).toBeNull();
  await like(taro, hanako);
  expect(await verdictOf(taro, hanako)).toBe("like");
});

test("shows links to matches only, on cards, profile pages and an undone card", async () => {
  const { member } = await serviceForTest();
  const hanako = await member("hanako", { paid: true });
  const taro = await member("taro", { paid: true });
  const links = Object.fromEntries(socialLinks.map((name) => [name, `https://${name}.example/hanako`]));
  const none = Object.fromEntries(socialLinks.map((name) => [name, null]));
  await hanako.call(saveProfile, links);

  expect((await taro.call(getUser, { userId: "hanako" })).user).toMatchObject(none);
  expect((await taro.call(getOptions, {})).options).toMatchObject([{ user_id: "hanako", ...none }]);
  await pass(taro, hanako);
  expect((await taro.call(undoPass, {})).user).toMatchObject({ user_id: "hanako", ...none });
  await like(taro, hanako);
  expect((await taro.call(getUser, { userId: "hanako" })).user).toMatchObject(none);

  await match(hanako, taro);
  expect((await taro.call(getUser, { userId: "hanako" })).user).toMatchObject(links);

  await hanako.call(blockUser, { userId: "taro" });
  await hanako.call(unblockUser, { userId: "taro" });
  expect((await taro.call(getUser, { userId: "hanako" })).user).toMatchObject(none);
});
