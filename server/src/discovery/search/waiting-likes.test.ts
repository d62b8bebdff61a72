import { likeUser } from "@alcove/contract/discovery";
import { deleteMember } from "../../accounts/index.ts";
import { blockUser } from "@alcove/contract/safety";
import { beforeAll, expect, test } from "vitest";
import { eventually, testService, type TestMember, type TestService } from "../../testing/test-service.ts";
import { correctWaitingLikes } from "./waiting-likes.ts";

let service: TestService;
beforeAll(async () => {
  service = await testService();
});

async function waitingLikesOf({ memberId }: TestMember): Promise<number | undefined> {
  const row = await service.db
    .selectFrom("searchables")
    .select("waiting_likes")
    .where("member_no", "=", memberId)
    .executeTakeFirst();
  return row?.waiting_likes;
}

test("counts the waiting likes of a member after a like, a match, a block and a deletion", async () => {
  const taro = await service.member("taro", { sex: "male", paid: true });
  const [hanako, yuki, sachi, emi] = await Promise.all(
    ["hanako", "yuki", "sachi", "emi"].map((name) => service.member(name, { sex: "female", paid: true })),
  );

  for (const woman of [hanako, yuki, sachi, emi]) await woman!.call(likeUser, { likedId: "taro" });
  await eventually(async () => expect(await waitingLikesOf(taro)).toBe(4));

  await taro.call(likeUser, { likedId: "hanako" });
  await eventually(async () => expect(await waitingLikesOf(taro)).toBe(3));
  await yuki!.call(blockUser, { userId: "taro" });
  await eventually(async () => expect(await waitingLikesOf(taro)).toBe(2));
  await deleteMember(service.ctx, sachi!.memberId);
  await eventually(async () => expect(await waitingLikesOf(taro)).toBe(1));
});

test("corrects a count whose job was lost", async () => {
  const jiro = await service.member("jiro", { sex: "male" });
  const row = { actor: 9_999, target: jiro.memberId, sequence_no: 1 };
  await service.db.insertInto("likes_received").values(row).execute();

  await correctWaitingLikes(service.ctx);

  expect(await waitingLikesOf(jiro)).toBe(1);
});
