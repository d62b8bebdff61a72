import { expect, test } from "vitest";
import { deleteAccount } from "@alcove/contract/accounts";
import { getLikes, getUser, likeUser, takeBackLike, undoPass } from "@alcove/contract/discovery";
import { saveVisibility } from "@alcove/contract/profiles";
import { addNeverSee, blockUser } from "@alcove/contract/safety";
import { suspendMember } from "../accounts/index.ts";
import { rounds } from "../testing/rounds.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { eventually, expectError, type TestMember } from "../testing/test-service.ts";

const like = (who: TestMember, userId: string) => who.call(likeUser, { likedId: userId });
const liked = async (who: TestMember) => (await who.call(getLikes, {})).likes.map(({ user_id }) => user_id);

test("lists own likes without matches and hidden members, the newest first", async () => {
  const { member, clock, ctx, db } = await serviceForTest();
  clock.set("2026-05-05T12:00:00Z");
  const hanako = await member("hanako", { paid: true });
  const names = ["taro", "matched", "blocking", "pausing", "naming", "suspended", "left"];
  const others = new Map<string, TestMember>();
  for (const name of names) others.set(name, await member(name));
  for (const name of names) await like(hanako, name);

  await like(others.get("matched")!, "hanako");
  await others.get("blocking")!.call(blockUser, { userId: "hanako" });
  await others.get("pausing")!.call(saveVisibility, { paused: true });
  await others.get("naming")!.call(addNeverSee, { who: "hanako" });
  await suspendMember(ctx, others.get("suspended")!.memberId);
  await others.get("left")!.call(deleteAccount, {});
  await eventually(async () =>
    expect(await db.selectFrom("block_edges").select("dir").where("dir", "=", "m").execute()).toHaveLength(1),
  );

  const { likes } = await hanako.call(getLikes, {});
  expect(likes).toEqual([
    { user_id: "taro", username: "taro", icon: expect.any(String), liked_on: "2026-05-05" },
  ]);
  for (const name of names.slice(1))
    await expectError(hanako.call(takeBackLike, { userId: name }), "user_not_found");
  await others.get("pausing")!.call(saveVisibility, { paused: false });
  expect(await liked(hanako)).toEqual(["pausing", "taro"]);
});

test("takes back a like for good, and keeps the quota used", async () => {
  const { member, db } = await serviceForTest({ config: { paidLikesPerDay: 2 } });
  const hanako = await member("hanako", { paid: true });
  const taro = await member("taro", { paid: true });
  await like(hanako, "taro");

  await hanako.call(takeBackLike, { userId: "taro" });

  expect(await liked(hanako)).toEqual([]);
  await expectError(hanako.call(takeBackLike, { userId: "taro" }), "user_not_found");
  await expectError(hanako.call(takeBackLike, { userId: "nobody" }), "user_not_found");
  expect((await hanako.call(undoPass, {})).user).toBeNull();
  const page = await hanako.call(getUser, { userId: "taro" });
  expect([page.verdict, page.likes_left]).toEqual(["pass", 1]);
  expect(await db.selectFrom("likes_received").selectAll().execute()).toEqual([]);
  expect(await like(taro, "hanako")).toEqual({ matched: false });
});

test("makes a match or takes the like back when both happen at the same moment", async () => {
  const { member, db } = await serviceForTest();
  for (let round = 0; round < rounds(10); round++) {
    const hanako = await member(`hanako${round}`, { paid: true });
    const taro = await member(`taro${round}`, { paid: true });
    await like(hanako, taro.user_id);

    const [taken] = await Promise.all([
      hanako.call(takeBackLike, { userId: taro.user_id }).then(
        () => true,
        () => false,
      ),
      like(taro, hanako.user_id),
    ]);

    const edges = await db.selectFrom("match_edges").select("member_no").execute();
    const own = edges.filter(({ member_no }) => [hanako.memberId, taro.memberId].includes(member_no));
    expect(own).toHaveLength(taken ? 0 : 2);
  }
});
