import { expect, test } from "vitest";
import { getOptions, getUser, likeUser, passUser } from "@alcove/contract/discovery";
import { getLastDms } from "@alcove/contract/messaging";
import { blockUser, getBlocks, unblockUser } from "@alcove/contract/safety";
import { suspendMember } from "../accounts/index.ts";
import { DAY_MS } from "../platform/clock.ts";
import { rounds } from "../testing/rounds.ts";
import { logInAgain } from "../testing/log-in-again.ts";
import { hanakoAndTaro } from "../testing/match.ts";
import { block, shownTo } from "../testing/member-calls.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { eventually, expectError, type TestMember } from "../testing/test-service.ts";

const unblock = (who: TestMember, whom: TestMember) => who.call(unblockUser, { userId: whom.user_id });

test("ends the match and hides both from each other everywhere when a member blocks", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);

  await block(hanako, taro);

  for (const [who, whom] of [
    [hanako, taro],
    [taro, hanako],
  ] as const) {
    expect((await expectError(who.call(getUser, { userId: whom.user_id }), "user_not_found")).status).toBe(
      404,
    );
    await expectError(who.call(likeUser, { likedId: whom.user_id }), "user_not_found");
    await expectError(who.call(passUser, { unlikedId: whom.user_id }), "user_not_found");
    expect(await shownTo(who)).toEqual([]);
    expect((await who.call(getLastDms, {})).matches).toEqual([]);
  }
  expect(await service.db.selectFrom("match_edges").selectAll().execute()).toEqual([]);
});

test("closes only the sockets of their conversation when a member blocks", async () => {
  const service = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(service);
  const hers = await hanako.socket("/ws/dm/taro");
  const his = await taro.socket("/ws/dm/hanako");
  const events = await hanako.socket("/ws/events");

  await block(taro, hanako);

  await eventually(() => expect([hers.closed, his.closed]).toEqual([4403, 4403]));
  await eventually(() => expect(events.frames).toEqual([{ match_ended: { user_id: "taro" } }]));
  expect(events.closed).toBeNull();
  expect(hers.frames).toEqual([]);
});

test("notifies neither side when an unmatched user is blocked", async () => {
  const service = await serviceForTest();
  const hanako = await service.member("hanako", { paid: true });
  const taro = await service.member("taro", { paid: true });
  const jiro = await service.member("jiro", { paid: true });
  const events = [await hanako.socket("/ws/events"), await taro.socket("/ws/events")];

  await block(taro, hanako);
  for (const member of [hanako, taro]) {
    await member.call(likeUser, { likedId: "jiro" });
    await jiro.call(likeUser, { likedId: member.user_id });
  }

  for (const { frames } of events) {
    await eventually(() =>
      expect(frames).toEqual([{ match: expect.objectContaining({ user_id: "jiro" }) as unknown }]),
    );
  }
});

test("removes a shown candidate from the next response after a block", async () => {
  const { member } = await serviceForTest();
  const hanako = await member("hanako", { paid: true });
  const taro = await member("taro", { paid: true });
  await member("jiro");
  expect((await shownTo(hanako)).toSorted()).toEqual(["jiro", "taro"]);

  await block(taro, hanako);

  expect(await shownTo(hanako)).toEqual(["jiro"]);
});

test("returns nobody_in_range when the only candidate blocks", async () => {
  const { member } = await serviceForTest();
  const hanako = await member("hanako", { paid: true });
  const taro = await member("taro");

  await block(taro, hanako);

  expect(await hanako.call(getOptions, {})).toMatchObject({ options: [], reason: "nobody_in_range" });
});

test("lists blocked members, newest first, and accepts a repeated block", async () => {
  const { member, clock } = await serviceForTest();
  const hanako = await member("hanako");
  const taro = await member("taro");
  const jiro = await member("jiro");

  await Promise.all(Array.from({ length: 5 }, () => block(hanako, taro)));
  clock.advance(1_000);
  await block(hanako, jiro);
  await block(hanako, taro);

  const { users } = await hanako.call(getBlocks, {});
  expect(users.map((user) => user.user_id)).toEqual(["jiro", "taro"]);
  expect(await taro.call(getBlocks, {})).toEqual({ users: [] });
});

test("returns user_not_found when the blocked member is blocking, non-existent or suspended", async () => {
  const { member, ctx } = await serviceForTest();
  const hanako = await member("hanako");
  const taro = await member("taro");
  const jiro = await member("jiro");
  await block(taro, hanako);
  await suspendMember(ctx, jiro.memberId);

  for (const userId of ["taro", "jiro", "nobody", "a\u0000b", "😀"]) {
    const responses = await Promise.all([
      expectError(hanako.call(blockUser, { userId }), "user_not_found"),
      expectError(hanako.call(unblockUser, { userId }), "user_not_found"),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([404, 404]);
  }
  expect((await expectError(block(hanako, hanako), "cannot_block_yourself")).status).toBe(422);
  expect(await hanako.call(getBlocks, {})).toEqual({ users: [] });
});

test("restores neither match nor like when a member unblocks, but shows the two again after PASS_DAYS", async () => {
  const service = await serviceForTest();
  const { clock } = service;
  clock.set("2026-05-01T10:20:30Z");
  let { hanako, taro } = await hanakoAndTaro(service);
  await block(hanako, taro);
  clock.advance(10 * DAY_MS);
  [hanako, taro] = [await logInAgain(service, hanako), await logInAgain(service, taro)];

  await unblock(hanako, taro);

  expect(await hanako.call(getUser, { userId: "taro" })).toMatchObject({ matched: false });
  expect(await shownTo(hanako)).toEqual([]);
  clock.set(new Date(Date.parse("2026-05-12T00:00:00Z") + service.ctx.config.passDays * DAY_MS - 1));
  [hanako, taro] = [await logInAgain(service, hanako), await logInAgain(service, taro)];
  expect(await shownTo(taro)).toEqual([]);
  clock.advance(1);
  expect(await shownTo(hanako)).toEqual(["taro"]);
  expect(await shownTo(taro)).toEqual(["hanako"]);
  expect(await hanako.call(likeUser, { likedId: "taro" })).toEqual({ matched: false });
});

test("responds at fixed moments when no candidate is found, so that the time does not reveal the reason", async () => {
  const { member } = await serviceForTest();
  const [hanako, taro] = [await member("hanako"), await member("taro")];
  await block(taro, hanako);

  for (const userId of ["taro", "nobody"]) {
    const began = performance.now();
    await expectError(hanako.call(likeUser, { likedId: userId }), "user_not_found");
    // Timers run slightly ahead of this clock.
    expect(performance.now() - began).toBeGreaterThan(35);
  }
});

test("leaves no match and reveals no block when a like and a block arrive at the same time", async () => {
  const { member, db } = await serviceForTest();

  for (let i = 0; i < rounds(25); i++) {
    const her = await member(`her${i}`, { at: null });
    // Free members get upgrade_required when the first like took their card before the block came.
    const him = await member(`him${i}`, { at: null, paid: true });
    await her.call(likeUser, { likedId: him.user_id });

    // She likes him, so a missing match could only come from a block.
    const like = async () =>
      him.call(likeUser, { likedId: her.user_id }).catch((error: { code: string }) => error.code);
    const [, ...responses] = await Promise.all([block(her, him), like(), like()]);

    for (const response of responses) expect([{ matched: true }, "user_not_found"]).toContainEqual(response);
  }
  expect(await db.selectFrom("match_edges").selectAll().execute()).toEqual([]);
  expect(await db.selectFrom("likes_received").selectAll().execute()).toEqual([]);
  expect(await db.selectFrom("verdicts").where("liked", "=", true).selectAll().execute()).toEqual([]);
});
