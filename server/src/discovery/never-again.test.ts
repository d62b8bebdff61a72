import { expect, test } from "vitest";
import { exportData } from "@alcove/contract/accounts";
import { getLikes, getUser, likeUser, neverAgain, passUser, undoPass } from "@alcove/contract/discovery";
import { getLastDms } from "@alcove/contract/messaging";
import { buildRequest } from "@alcove/contract/request";
import { blockUser, unblockUser } from "@alcove/contract/safety";
import { readZip } from "@alcove/test-services/zip";
import { DAY_MS } from "../platform/clock.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { match } from "../testing/match.ts";
import { shownTo } from "../testing/member-calls.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { expectError, type TestMember } from "../testing/test-service.ts";

const passForGood = (who: TestMember, userId: string) => who.call(neverAgain, { userId });

test("shows a member passed for good never again, also after a block, until an undo or a like", async () => {
  const service = await serviceForTest({ config: { passDays: 3 } });
  let hanako = await service.member("hanako", { paid: true });
  await service.member("taro");
  await passForGood(hanako, "taro");
  await hanako.call(blockUser, { userId: "taro" });
  await hanako.call(unblockUser, { userId: "taro" });

  service.clock.advance(400 * DAY_MS);
  hanako = await logInAgain(service, hanako);
  expect(await shownTo(hanako)).toEqual([]);

  await hanako.call(likeUser, { likedId: "taro" });
  await passForGood(hanako, "taro");
  expect((await hanako.call(getLikes, {})).likes).toEqual([]);
  expect((await hanako.call(undoPass, {})).user?.user_id).toBe("taro");
  expect((await hanako.call(getUser, { userId: "taro" })).verdict).toBeNull();
});

test("costs a free member one card, once, and no second one after a pass or a like", async () => {
  const { member, db } = await serviceForTest();
  const hanako = await member("hanako");
  for (const name of ["taro", "jiro"]) await member(name);
  await passForGood(hanako, "taro");
  await passForGood(hanako, "taro");
  expect(await db.selectFrom("quota_days").select("cards_used").execute()).toEqual([{ cards_used: 1 }]);
  await expectError(passForGood(hanako, "jiro"), "upgrade_required");
});

test("gives no like for nothing by a pass for good that is undone", async () => {
  const service = await serviceForTest({ config: { paidLikesPerDay: 1 } });
  const [hanako, akiko] = [await service.member("hanako"), await service.member("akiko", { paid: true })];
  for (const name of ["taro", "jiro"]) await service.member(name);
  for (const who of [hanako, akiko]) await who.call(passUser, { unlikedId: "taro" });
  service.clock.advance(DAY_MS);

  for (const [before, error] of [
    [hanako, "upgrade_required"],
    [akiko, "likes_used_up"],
  ] as const) {
    const who = await logInAgain(service, before);
    await passForGood(who, "taro");
    expect((await who.call(undoPass, {})).user?.user_id).toBe("taro");
    await who.call(likeUser, { likedId: "taro" });
    await expectError(who.call(likeUser, { likedId: "jiro" }), error);
  }
});

test("changes no match, and is named in the export", async () => {
  const { member } = await serviceForTest();
  const hanako = await member("hanako", { paid: true });
  const taro = await member("taro", { paid: true });
  await member("jiro");
  await match(hanako, taro);
  await passForGood(hanako, "taro");
  await passForGood(hanako, "jiro");

  expect((await taro.call(getUser, { userId: "hanako" })).matched).toBe(true);
  expect((await hanako.call(getLastDms, {})).matches).toHaveLength(1);
  const { path, ...request } = buildRequest(exportData, {});
  const zip = new Uint8Array(await (await hanako.fetch(path, request)).arrayBuffer());
  expect(JSON.parse((await readZip(zip)).get("data.json")!.toString())).toMatchObject({
    likes_and_passes: [{ verdict: "like" }, { user_id: "jiro", verdict: "never_again" }],
  });
});
