import { expect, test } from "vitest";
import { getOptions, getUser, likeUser, passUser } from "@alcove/contract/discovery";
import { getLastDms } from "@alcove/contract/messaging";
import { blockUser, getBlocks, unblockUser } from "@alcove/contract/safety";
import { DAY_MS } from "../platform/clock.ts";
import { comeBack } from "../testing/log-in-again.ts";
import { hanakoAndTaro, serviceOfTest } from "../testing/match.ts";
import { eventually, refused, type TestMember } from "../testing/test-service.ts";

const block = (who: TestMember, whom: TestMember) => who.ask(blockUser, { userId: whom.user_id });
const unblock = (who: TestMember, whom: TestMember) => who.ask(unblockUser, { userId: whom.user_id });
const shownTo = async (who: TestMember) =>
  (await who.ask(getOptions, {})).options.map((option) => option.user_id);

test("ends the match and hides both from each other everywhere when a member blocks", async () => {
  const service = await serviceOfTest();
  const { hanako, taro } = await hanakoAndTaro(service);

  await block(hanako, taro);

  for (const [who, whom] of [
    [hanako, taro],
    [taro, hanako],
  ] as const) {
    expect((await refused(who.ask(getUser, { userId: whom.user_id }), "user_not_found")).status).toBe(404);
    await refused(who.ask(likeUser, { likedId: whom.user_id }), "user_not_found");
    await refused(who.ask(passUser, { unlikedId: whom.user_id }), "user_not_found");
    expect(await shownTo(who)).toEqual([]);
    expect((await who.ask(getLastDms, {})).matches).toEqual([]);
  }
  expect(await service.db.selectFrom("match_edges").selectAll().execute()).toEqual([]);
});

test("closes only the sockets of their conversation when a member blocks", async () => {
  const service = await serviceOfTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const hers = await hanako.socket("/ws/dm/taro");
  const his = await taro.socket("/ws/dm/hanako");
  const events = await hanako.socket("/ws/events");

  await block(taro, hanako);

  await eventually(() => expect([hers.closed, his.closed]).toEqual([4403, 4403]));
  await eventually(() => expect(events.frames).toEqual([{ lost: { user_id: "taro" } }]));
  expect(events.closed).toBeNull();
  expect(hers.frames).toEqual([]);
});

test("notifies neither side when an unmatched user is blocked", async () => {
  const service = await serviceOfTest();
  const hanako = await service.member("hanako", { paid: true });
  const taro = await service.member("taro", { paid: true });
  const jiro = await service.member("jiro", { paid: true });
  const events = [await hanako.socket("/ws/events"), await taro.socket("/ws/events")];

  await block(taro, hanako);
  for (const member of [hanako, taro]) {
    await member.ask(likeUser, { likedId: "jiro" });
    await jiro.ask(likeUser, { likedId: member.user_id });
  }

  for (const { frames } of events) {
    await eventually(() =>
      expect(frames).toEqual([{ match: expect.objectContaining({ user_id: "jiro" }) as unknown }]),
    );
  }
});

test("removes a shown candidate from the next response after a block", async () => {
  const { member } = await serviceOfTest();
  const hanako = await member("hanako", { paid: true });
  const taro = await member("taro", { paid: true });
  await member("jiro");
  expect((await shownTo(hanako)).toSorted()).toEqual(["jiro", "taro"]);

  await block(taro, hanako);

  expect(await shownTo(hanako)).toEqual(["jiro"]);
});

test("returns nobody_in_range when the only candidate blocks", async () => {
  const { member } = await serviceOfTest();
  const hanako = await member("hanako", { paid: true });
  const taro = await member("taro");

  await block(taro, hanako);

  expect(await hanako.ask(getOptions, {})).toEqual({ options: [], reason: "nobody_in_range" });
});

test("lists blocked members, newest first, and accepts a repeated block", async () => {
  const { member, clock } = await serviceOfTest();
  const hanako = await member("hanako");
  const taro = await member("taro");
  const jiro = await member("jiro");

  await Promise.all(Array.from({ length: 5 }, () => block(hanako, taro)));
  clock.advance(1_000);
  await block(hanako, jiro);
  await block(hanako, taro);

  const { users } = await hanako.ask(getBlocks, {});
  expect(users.map((user) => user.user_id)).toEqual(["jiro", "taro"]);
  expect(await taro.ask(getBlocks, {})).toEqual({ users: [] });
});

test("returns user_not_found when the blocked member is blocking, non-existent or suspended", async () => {
  const { member, db } = await serviceOfTest();
  const hanako = await member("hanako");
  const taro = await member("taro");
  const jiro = await member("jiro");
  await block(taro, hanako);
  await db
    .updateTable("members")
    .set({ account_status: "suspended" })
    .where("member_no", "=", jiro.memberId)
    .execute();

  for (const userId of ["taro", "jiro", "nobody", "a\u0000b", "😀"]) {
    const responses = await Promise.all([
      refused(hanako.ask(blockUser, { userId }), "user_not_found"),
      refused(hanako.ask(unblockUser, { userId }), "user_not_found"),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([404, 404]);
  }
  expect((await refused(block(hanako, hanako), "cannot_block_yourself")).status).toBe(422);
  expect(await hanako.ask(getBlocks, {})).toEqual({ users: [] });
});

test("restores neither match nor like when a member unblocks, but shows the two again after PASS_DAYS", async () => {
  const service = await serviceOfTest();
  const { clock } = service;
  let { hanako, taro } = await hanakoAndTaro(service);
  await block(hanako, taro);
  clock.advance(10 * DAY_MS);
  [hanako, taro] = [await comeBack(service, hanako), await comeBack(service, taro)];

  await unblock(hanako, taro);

  expect(await hanako.ask(getUser, { userId: "taro" })).toMatchObject({ matched: false });
  expect(await shownTo(hanako)).toEqual([]);
  clock.advance(service.ctx.config.passDays * DAY_MS - 1);
  [hanako, taro] = [await comeBack(service, hanako), await comeBack(service, taro)];
  expect(await shownTo(taro)).toEqual([]);
  clock.advance(1);
  expect(await shownTo(hanako)).toEqual(["taro"]);
  expect(await shownTo(taro)).toEqual(["hanako"]);
  expect(await hanako.ask(likeUser, { likedId: "taro" })).toEqual({ matched: false });
});

test("responds at fixed moments when no candidate is found, so that the time does not reveal the reason", async () => {
  const { member } = await serviceOfTest();
  const [hanako, taro] = [await member("hanako"), await member("taro")];
  await block(taro, hanako);

  for (const userId of ["taro", "nobody"]) {
    const began = performance.now();
    await refused(hanako.ask(likeUser, { likedId: userId }), "user_not_found");
    // Timers run slightly ahead of this clock.
    expect(performance.now() - began).toBeGreaterThan(35);
  }
});

test("leaves no match and reveals no block when a like and a block arrive at the same time", async () => {
  const { member, db } = await serviceOfTest();

  for (let i = 0; i < 25; i++) {
    const her = await member(`her${i}`, { at: null });
    const him = await member(`him${i}`, { at: null });
    await her.ask(likeUser, { likedId: him.user_id });

    // She likes him, so a missing match could only come from a block.
    const like = async () =>
      him.ask(likeUser, { likedId: her.user_id }).catch((error: { code: string }) => error.code);
    const [, ...responses] = await Promise.all([block(her, him), like(), like()]);

    for (const response of responses) expect([{ matched: true }, "user_not_found"]).toContainEqual(response);
  }
  expect(await db.selectFrom("match_edges").selectAll().execute()).toEqual([]);
  expect(await db.selectFrom("likes_received").selectAll().execute()).toEqual([]);
  expect(await db.selectFrom("verdicts").where("liked", "=", true).selectAll().execute()).toEqual([]);
});
