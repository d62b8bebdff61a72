import { expect, test } from "vitest";
import { getDms, getLastDms, getReading, readDm, saveReading, sendDm } from "@alcove/contract/messaging";
import { hanakoAndTaro, match, serviceOfTest } from "../testing/match.ts";
import { eventually, refused, type TestMember, type TestSocket } from "../testing/test-service.ts";

const LAST_OF_ALL = "ffffffff-ffff-4fff-bfff-ffffffffffff";

const write = async (from: TestMember, to: TestMember, description: string) =>
  (await from.ask(sendDm, { receiverId: to.user_id, description })).dm;
const unread = async (me: TestMember) => (await me.ask(getLastDms, {})).unread;
const readBy = async (friend: TestMember, me: TestMember) =>
  (await me.ask(getDms, { friendId: friend.user_id })).read_id;
const read = (me: TestMember, friend: TestMember, dmId: string) =>
  me.ask(readDm, { friendId: friend.user_id, dmId });
const readings = ({ frames }: TestSocket) =>
  frames.flatMap((frame) => ("read" in (frame as object) ? [(frame as { read: unknown }).read] : []));

test("a message is unread until its receiver has said that it was read; fetching it says nothing", async () => {
  const { hanako, taro } = await hanakoAndTaro(await serviceOfTest());
  await write(hanako, taro, "Good evening");
  const { id } = await write(hanako, taro, "Are you there?");

  await taro.ask(getDms, { friendId: hanako.user_id });
  expect([await unread(hanako), await unread(taro)]).toEqual([[], ["hanako"]]);
  expect(await readBy(taro, hanako)).toBeNull();

  await read(taro, hanako, id);
  expect(await unread(taro)).toEqual([]);
  expect(await readBy(taro, hanako)).toBe(id);
});

test("what was read stays read: a late mark of an older message takes nothing back", async () => {
  const { hanako, taro } = await hanakoAndTaro(await serviceOfTest());
  const first = await write(hanako, taro, "first");
  const second = await write(hanako, taro, "second");

  await read(taro, hanako, first.id);
  expect(await unread(taro)).toEqual(["hanako"]);
  await read(taro, hanako, second.id);
  await read(taro, hanako, first.id);

  expect(await unread(taro)).toEqual([]);
  expect(await readBy(taro, hanako)).toBe(second.id);
});

test("nobody can have read what is not written yet", async () => {
  const { hanako, taro } = await hanakoAndTaro(await serviceOfTest());
  await read(taro, hanako, LAST_OF_ALL);
  expect(await readBy(taro, hanako)).toBeNull();
  const { id } = await write(hanako, taro, "first");

  await read(taro, hanako, LAST_OF_ALL);
  await write(hanako, taro, "second");

  expect(await readBy(taro, hanako)).toBe(id);
  expect(await unread(taro)).toEqual(["hanako"]);
});

test("who answers from a device that was out of sight has not read by that", async () => {
  const { hanako, taro } = await hanakoAndTaro(await serviceOfTest());
  await write(hanako, taro, "Are you there?");

  await write(taro, hanako, "written in a tunnel, before");

  expect(await unread(taro)).toEqual(["hanako"]);
  expect(await readBy(taro, hanako)).toBeNull();
});

test("both sides' devices hear of it, on any process, and nobody else", async () => {
  const here = await serviceOfTest();
  const { hanako, taro } = await hanakoAndTaro(here);
  const jiro = await here.member("jiro", { sex: "male" });
  await match(hanako, jiro);
  const there = await serviceOfTest({ beside: here });
  const { id } = await write(hanako, taro, "Good evening");
  const [hers, his] = [await there.meet(hanako).socket("/ws/events"), await taro.socket("/ws/events")];
  const others = [
    await jiro.socket("/ws/events"),
    await taro.socket(`/ws/dm/${hanako.user_id}`), // strangers' clients know of messages alone
  ];

  await read(there.meet(taro), hanako, id);
  await read(taro, hanako, id); // no news
  await eventually(() =>
    expect(readings(his)).toEqual([{ user_id: "hanako", reader_id: "taro", dm_id: id }]),
  );
  await eventually(() => expect(readings(hers)).toEqual([{ user_id: "taro", reader_id: "taro", dm_id: id }]));

  await write(jiro, hanako, "Hello");
  await write(hanako, taro, "Still there?");
  for (const socket of others) {
    await eventually(() => expect(socket.frames).toHaveLength(1));
    expect(readings(socket)).toEqual([]);
  }
  expect(readings(his)).toHaveLength(1);
});

test("marks and messages that cross each other, in forty pairs on two servers, leave what came last unread", async () => {
  const here = await serviceOfTest();
  const there = await serviceOfTest({ beside: here });
  const hanako = await here.member("hanako", { paid: true });
  const friends = await Promise.all(
    Array.from({ length: 40 }, (_, i) => here.member(`friend${i}`, { sex: "male", paid: true })),
  );
  for (const friend of friends) await match(hanako, friend);
  const firsts = await Promise.all(friends.map((friend) => write(friend, hanako, "first")));

  const seconds = await Promise.all(
    friends.map(async (friend, i) => {
      const [second] = await Promise.all([
        write(friend, hanako, "second"),
        read(there.meet(hanako), friend, firsts[i]!.id),
        read(hanako, friend, firsts[i]!.id),
      ]);
      return second;
    }),
  );
  expect(new Set(await unread(hanako))).toEqual(new Set(friends.map(({ user_id }) => user_id)));

  await Promise.all(friends.map((friend, i) => read(hanako, friend, seconds[i]!.id)));
  expect(await unread(hanako)).toEqual([]);
}, 60_000);

test("a new match is unread until it was looked at on one of the member's devices; of that its friend learns nothing", async () => {
  const here = await serviceOfTest();
  const { hanako, taro } = await hanakoAndTaro(here);
  const there = await serviceOfTest({ beside: here });
  const hers = await there.meet(hanako).socket("/ws/events");
  const his = await taro.socket("/ws/events");
  expect([await unread(hanako), await unread(taro)]).toEqual([["taro"], ["hanako"]]);

  await hanako.ask(readDm, { friendId: "taro" });
  await there.meet(hanako).ask(readDm, { friendId: "taro" }); // no news

  expect([await unread(hanako), await unread(taro)]).toEqual([[], ["hanako"]]);
  await write(hanako, taro, "Good evening");
  await eventually(() => {
    expect(hers.frames.map((frame) => Object.keys(frame as object)[0])).toEqual(["seen", "dm"]);
    expect(his.frames.map((frame) => Object.keys(frame as object)[0])).toEqual(["dm"]);
  });
  expect(hers.frames[0]).toEqual({ seen: { user_id: "taro" } });
  expect(await readBy(hanako, taro)).toBeNull();
});

test("who does not show what it reads sees nothing of what others read: at once, on any process, for what was read before too", async () => {
  const here = await serviceOfTest();
  const { hanako, taro } = await hanakoAndTaro(here);
  const there = await serviceOfTest({ beside: here });
  const [hers, his] = [await there.meet(hanako).socket("/ws/events"), await taro.socket("/ws/events")];
  const kinds = ({ frames }: TestSocket) =>
    frames.map((frame) => Object.keys(frame as object)[0]!).toSorted((one, other) => (one < other ? -1 : 1));
  const first = await write(hanako, taro, "first");
  await read(taro, hanako, first.id);
  expect(await readBy(taro, hanako)).toBe(first.id);
  expect(await hanako.ask(getReading, {})).toEqual({ shows_reading: true });

  await there.meet(hanako).ask(saveReading, { shows_reading: false });
  await hanako.ask(saveReading, { shows_reading: false }); // no news

  expect(await taro.ask(getReading, {})).toEqual({ shows_reading: true });
  expect(await readBy(taro, hanako)).toBeNull();
  const answer = await write(taro, hanako, "answer");
  await read(there.meet(hanako), taro, answer.id);
  expect(await unread(hanako)).toEqual([]);
  expect(await readBy(hanako, taro)).toBeNull();
  const second = await write(hanako, taro, "second");
  await read(taro, hanako, second.id);
  // Her own devices learn what she has read; neither learns of the other.
  await eventually(() => {
    expect(kinds(hers)).toEqual(["dm", "dm", "dm", "read", "read", "reading"]);
    expect(kinds(his)).toEqual(["dm", "dm", "dm", "read", "read", "reading"]);
  });
  expect(readings(hers)[1]).toEqual({ user_id: "taro", reader_id: "hanako", dm_id: answer.id });
  expect(readings(his)[1]).toEqual({ user_id: "hanako", reader_id: "taro", dm_id: second.id });
  expect(hers.frames).toContainEqual({ reading: { user_id: null } });
  expect(his.frames).toContainEqual({ reading: { user_id: "hanako" } });

  await hanako.ask(saveReading, { shows_reading: true });

  expect(await readBy(taro, hanako)).toBe(second.id);
  expect(await readBy(hanako, taro)).toBe(answer.id);
  await eventually(() => {
    for (const socket of [hers, his])
      expect(kinds(socket).filter((kind) => kind === "reading")).toHaveLength(2);
  });
});

test("only who is matched may say that it has read", async () => {
  const service = await serviceOfTest();
  const { hanako } = await hanakoAndTaro(service);
  const stranger = await service.member("stranger");

  await refused(read(hanako, stranger, LAST_OF_ALL), "conversation_not_found");
  await refused(hanako.ask(readDm, { friendId: "stranger" }), "conversation_not_found");
});
