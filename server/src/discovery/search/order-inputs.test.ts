import { likeUser, passUser } from "@alcove/contract/discovery";
import { deleteMember } from "../../accounts/index.ts";
import { blockUser } from "@alcove/contract/safety";
import { beforeAll, expect, test } from "vitest";
import { eventually, testService, type TestMember, type TestService } from "../../testing/test-service.ts";
import { DAY_MS, HOUR_MS } from "../../platform/clock.ts";
import { cellAt, centreOf } from "../position/cells.ts";
import { moveMember } from "../position/position.ts";
import { correctCounts } from "./order-inputs.ts";
import { recordActivity } from "./search-index.ts";

let service: TestService;
beforeAll(async () => {
  service = await testService();
});

async function inputsOf({ memberId }: TestMember) {
  return service.db
    .selectFrom("searchables")
    .select(["waiting_likes", "fresh_matches", "gives", "gets", "presence", "shown_lately", "region"])
    .where("member_no", "=", memberId)
    .executeTakeFirst();
}

const waitingLikesOf = async (member: TestMember) => (await inputsOf(member))?.waiting_likes;

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

  await correctCounts(service.ctx);

  expect(await waitingLikesOf(jiro)).toBe(1);
});

test("moves the shares of both sides with each verdict, and counts the card", async () => {
  const saburo = await service.member("saburo", { sex: "male", paid: true });
  const [aya, mio] = await Promise.all(
    ["aya", "mio"].map((name) => service.member(name, { sex: "female", paid: true })),
  );

  await aya!.call(likeUser, { likedId: "saburo" });
  await eventually(async () => expect(await inputsOf(saburo)).toMatchObject({ gets: 45, shown_lately: 10 }));
  expect(await inputsOf(aya!)).toMatchObject({ gives: 45, gets: 40, shown_lately: 0 });
  await mio!.call(passUser, { unlikedId: "saburo" });
  await eventually(async () => expect(await inputsOf(saburo)).toMatchObject({ gets: 42, shown_lately: 20 }));
  expect(await inputsOf(mio!)).toMatchObject({ gives: 37 });

  // A repeated verdict is none.
  await mio!.call(passUser, { unlikedId: "saburo" });
  await saburo.call(likeUser, { likedId: "aya" });
  await eventually(async () => expect(await inputsOf(aya!)).toMatchObject({ gets: 45, fresh_matches: 1 }));
  expect(await inputsOf(saburo)).toMatchObject({ gets: 42, fresh_matches: 1, shown_lately: 20 });

  const before = await inputsOf(saburo);
  service.clock.advance(12 * HOUR_MS);
  const london = centreOf(cellAt(-0.13, 51.51));
  await service.ctx.db.transaction().execute((tx) => moveMember(tx, service.ctx, saburo, london));
  const { region, ...moved } = (await inputsOf(saburo))!;
  expect({ ...before, region }).toEqual({ ...moved, region });
  expect(region).not.toBe(before!.region);
});

test("lowers the share of days with a visit while a member is away", async () => {
  const ken = await service.member("ken", { sex: "male" });
  expect(await inputsOf(ken)).toMatchObject({ presence: 50 });

  service.clock.advance(10 * DAY_MS);
  const { region } = (await inputsOf(ken))!;
  await recordActivity(service.ctx, { memberId: ken.memberId, region });

  expect(await inputsOf(ken)).toMatchObject({ presence: 27 });
});
