import { expect, test } from "vitest";
import { getReading, saveReading, sendDm, showTyping } from "@alcove/contract/messaging";
import { blockUser } from "@alcove/contract/safety";
import { hanakoAndTaro, match } from "../testing/match.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { eventually, expectError, type TestMember, type TestSocket } from "../testing/test-service.ts";

const typingOf = ({ frames }: TestSocket) =>
  (frames as { typing?: { user_id: string } }[]).flatMap(({ typing }) => typing?.user_id ?? []);
const type = (me: TestMember, other: TestMember) => me.call(showTyping, { friendId: other.user_id });
const show = (...members: TestMember[]) =>
  Promise.all(members.map((one) => one.call(saveReading, { shows_typing: true })));

/** Waits for an event that follows all earlier ones of the pair. */
async function writeAfter(from: TestMember, to: TestMember, at: TestSocket): Promise<void> {
  const { dm } = await from.call(sendDm, { receiverId: to.user_id, description: "written" });
  await eventually(() => expect(at.frames).toContainEqual({ dm: expect.objectContaining({ id: dm.id }) }));
}

test("is off by default, and each of the two settings is saved without the other", async () => {
  const { hanako } = await hanakoAndTaro(await serviceForTest());
  const settings = () => hanako.call(getReading, {});
  expect(await settings()).toMatchObject({ shows_reading: true, shows_typing: false });

  await hanako.call(saveReading, { shows_typing: true });
  expect(await settings()).toMatchObject({ shows_reading: true, shows_typing: true });
  await hanako.call(saveReading, { shows_reading: false });
  expect(await settings()).toMatchObject({ shows_reading: false, shows_typing: true });
  await hanako.call(saveReading, { shows_typing: false });
  expect(await settings()).toMatchObject({ shows_reading: false, shows_typing: false });
});

test("shows typing on all devices and servers of the other member, and on no others", async () => {
  const here = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(here);
  const jiro = await here.member("jiro", { sex: "male" });
  await match(hanako, jiro);
  await show(hanako, taro, jiro);
  const there = await serviceForTest({ beside: here });
  const his = [await taro.socket("/ws/events"), await there.memberAt(taro).socket("/ws/events")];
  const others = [
    await hanako.socket("/ws/events"),
    await jiro.socket("/ws/events"),
    await taro.socket(`/ws/dm/${hanako.user_id}`), // conversation sockets get only messages
  ];

  await type(hanako, taro);

  for (const socket of his) await eventually(() => expect(typingOf(socket)).toEqual(["hanako"]));
  for (const [to, socket] of [[taro, others[2]!] as const, [jiro, others[1]!] as const]) {
    await writeAfter(hanako, to, socket);
    await eventually(() => expect(others[0]!.frames).toContainEqual({ dm: expect.anything() }));
  }
  expect(others.flatMap(typingOf)).toEqual([]);
});

test.each([
  ["the writer", [false, true]],
  ["the other member", [true, false]],
  ["either of the two", [false, false]],
])("shows nothing unless %s shows typing, with the same response", async (_, [hers, his]) => {
  const { hanako, taro } = await hanakoAndTaro(await serviceForTest());
  if (hers) await show(hanako);
  if (his) await show(taro);
  const socket = await taro.socket("/ws/events");

  expect(await type(hanako, taro)).toBeUndefined();

  await writeAfter(hanako, taro, socket);
  expect(typingOf(socket)).toEqual([]);
});

test("refuses strangers, blocked and unknown members alike, and sends no frame after a block", async () => {
  const service = await serviceForTest();
  const { ctx } = service;
  const { hanako, taro } = await hanakoAndTaro(service);
  const stranger = await service.member("stranger", { sex: "male" });
  await show(hanako, taro, stranger);
  const sockets = [await taro.socket("/ws/events"), await stranger.socket("/ws/events")];
  await taro.call(blockUser, { userId: hanako.user_id });

  for (const friendId of [taro.user_id, stranger.user_id, "nobody", hanako.user_id])
    await expectError(hanako.call(showTyping, { friendId }), "conversation_not_found");
  // A call that passed the check just before the block.
  ctx.eventBus.publish("typing", { memberId: hanako.memberId, otherMemberId: taro.memberId });
  await match(stranger, hanako);
  await writeAfter(stranger, hanako, sockets[1]!);

  expect(sockets.flatMap(typingOf)).toEqual([]);
});

test("limits the calls of a minute", async () => {
  const service = await serviceForTest({ config: { hasRateLimits: true } });
  const { hanako, taro } = await hanakoAndTaro(service);
  await show(hanako, taro);
  const his = await taro.socket("/ws/events");

  for (let i = 0; i < 60; i++) await type(hanako, taro);

  await expectError(type(hanako, taro), "too_many_requests");
  await eventually(() => expect(typingOf(his)).toHaveLength(60));
});
