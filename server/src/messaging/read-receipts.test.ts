import { beforeAll, expect, test } from "vitest";
import { getDms, getLastDms, getReading, readDm, saveReading } from "@alcove/contract/messaging";
import { hanakoAndTaro, match } from "../testing/match.ts";
import { write } from "../testing/member-calls.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { rounds } from "../testing/rounds.ts";
import {
  eventually,
  expectError,
  testService,
  type TestMember,
  type TestService,
  type TestSocket,
} from "../testing/test-service.ts";

const LAST_OF_ALL = "ffffffff-ffff-4fff-bfff-ffffffffffff";

const unread = async (me: TestMember) => (await me.call(getLastDms, {})).unread;
const readBy = async (other: TestMember, me: TestMember) =>
  (await me.call(getDms, { friendId: other.user_id })).read_id;
const read = (me: TestMember, other: TestMember, dmId: string) =>
  me.call(readDm, { friendId: other.user_id, dmId });
const readings = ({ frames }: TestSocket) =>
  frames.flatMap((frame) => ("read" in (frame as object) ? [(frame as { read: unknown }).read] : []));

/** Of the tests that need no other members, rows or processes. */
let shared: TestService;
let pairCount = 0;
beforeAll(async () => {
  shared = await testService();
});
const newPair = () => hanakoAndTaro(shared, pairCount++);

test("keeps a message unread until the receiver marks it as read, even when they fetch it", async () => {
  const { hanako, taro } = await newPair();
  await write(hanako, taro, "Good evening");
  const { id } = await write(hanako, taro, "Are you there?");

  await taro.call(getDms, { friendId: hanako.user_id });
  expect([await unread(hanako), await unread(taro)]).toEqual([[], [hanako.user_id]]);
  expect(await readBy(taro, hanako)).toBeNull();

  await read(taro, hanako, id);
  expect(await unread(taro)).toEqual([]);
  expect(await readBy(taro, hanako)).toBe(id);
});

test("keeps the read position when an older message is marked later", async () => {
  const { hanako, taro } = await newPair();
  const first = await write(hanako, taro, "first");
  const second = await write(hanako, taro, "second");

  await read(taro, hanako, first.id);
  expect(await unread(taro)).toEqual([hanako.user_id]);
  await read(taro, hanako, second.id);
  await read(taro, hanako, first.id);

  expect(await unread(taro)).toEqual([]);
  expect(await readBy(taro, hanako)).toBe(second.id);
});

test("limits the read position to messages that exist", async () => {
  const { hanako, taro } = await newPair();
  await read(taro, hanako, LAST_OF_ALL);
  expect(await readBy(taro, hanako)).toBeNull();
  const { id } = await write(hanako, taro, "first");

  await read(taro, hanako, LAST_OF_ALL);
  await write(hanako, taro, "second");

  expect(await readBy(taro, hanako)).toBe(id);
  expect(await unread(taro)).toEqual([hanako.user_id]);
});

test("does not mark messages as read when the member only writes", async () => {
  const { hanako, taro } = await newPair();
  await write(hanako, taro, "Are you there?");

  await write(taro, hanako, "written in a tunnel, before");

  expect(await unread(taro)).toEqual([hanako.user_id]);
  expect(await readBy(taro, hanako)).toBeNull();
});

test("sends read positions to both members' devices on all servers and to no others", async () => {
  const here = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(here);
  const jiro = await here.member("jiro", { sex: "male" });
  await match(hanako, jiro);
  const there = await serviceForTest({ beside: here });
  const { id } = await write(hanako, taro, "Good evening");
  const [hers, his] = [await there.memberAt(hanako).socket("/ws/events"), await taro.socket("/ws/events")];
  const others = [
    await jiro.socket("/ws/events"),
    await taro.socket(`/ws/dm/${hanako.user_id}`), // conversation sockets get only messages
  ];

  await read(there.memberAt(taro), hanako, id);
  await read(taro, hanako, id); // no change
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

test("keeps the last message unread when reading and writing overlap in many pairs on two servers", async () => {
  const here = await serviceForTest();
  const there = await serviceForTest({ beside: here });
  const hanako = await here.member("hanako", { paid: true });
  const matches = await Promise.all(
    Array.from({ length: rounds(40) }, (_, i) => here.member(`other${i}`, { sex: "male", paid: true })),
  );
  for (const other of matches) await match(hanako, other);
  const firsts = await Promise.all(matches.map((other) => write(other, hanako, "first")));

  const seconds = await Promise.all(
    matches.map(async (other, i) => {
      const [second] = await Promise.all([
        write(other, hanako, "second"),
        read(there.memberAt(hanako), other, firsts[i]!.id),
        read(hanako, other, firsts[i]!.id),
      ]);
      return second;
    }),
  );
  expect(new Set(await unread(hanako))).toEqual(new Set(matches.map(({ user_id }) => user_id)));

  await Promise.all(matches.map((other, i) => read(hanako, other, seconds[i]!.id)));
  expect(await unread(hanako)).toEqual([]);
}, 60_000);

test("shows a match as new until one device has opened it, without an event to the other side", async () => {
  const here = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(here);
  const there = await serviceForTest({ beside: here });
  const hers = await there.memberAt(hanako).socket("/ws/events");
  const his = await taro.socket("/ws/events");
  expect([await unread(hanako), await unread(taro)]).toEqual([["taro"], ["hanako"]]);

  await hanako.call(readDm, { friendId: "taro" });
  await there.memberAt(hanako).call(readDm, { friendId: "taro" }); // no change

  expect([await unread(hanako), await unread(taro)]).toEqual([[], ["hanako"]]);
  await write(hanako, taro, "Good evening");
  await eventually(() => {
    expect(hers.frames.map((frame) => Object.keys(frame as object)[0])).toEqual(["seen", "dm"]);
    expect(his.frames.map((frame) => Object.keys(frame as object)[0])).toEqual(["dm"]);
  });
  expect(hers.frames[0]).toEqual({ seen: { user_id: "taro" } });
  expect(await readBy(hanako, taro)).toBeNull();
});

test("hides read positions in both directions on all servers when one member opts out", async () => {
  const here = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(here);
  const there = await serviceForTest({ beside: here });
  const [hers, his] = [await there.memberAt(hanako).socket("/ws/events"), await taro.socket("/ws/events")];
  const kinds = ({ frames }: TestSocket) =>
    frames
      .map((frame) => Object.keys(frame as object)[0]!)
      .filter((kind) => kind !== "changed")
      .toSorted((one, other) => (one < other ? -1 : 1));
  const first = await write(hanako, taro, "first");
  await read(taro, hanako, first.id);
  expect(await readBy(taro, hanako)).toBe(first.id);
  expect(await hanako.call(getReading, {})).toMatchObject({ shows_reading: true });

  await there.memberAt(hanako).call(saveReading, { shows_reading: false });
  await hanako.call(saveReading, { shows_reading: false }); // no change

  expect(await taro.call(getReading, {})).toMatchObject({ shows_reading: true });
  expect(await readBy(taro, hanako)).toBeNull();
  const reply = await write(taro, hanako, "reply");
  await read(there.memberAt(hanako), taro, reply.id);
  expect(await unread(hanako)).toEqual([]);
  expect(await readBy(hanako, taro)).toBeNull();
  const second = await write(hanako, taro, "second");
  await read(taro, hanako, second.id);
  // Each member's own devices get their read position; the other side gets none.
  await eventually(() => {
    expect(kinds(hers)).toEqual(["dm", "dm", "dm", "read", "read", "reading"]);
    expect(kinds(his)).toEqual(["dm", "dm", "dm", "read", "read", "reading"]);
  });
  expect(readings(hers)[1]).toEqual({ user_id: "taro", reader_id: "hanako", dm_id: reply.id });
  expect(readings(his)[1]).toEqual({ user_id: "hanako", reader_id: "taro", dm_id: second.id });
  expect(hers.frames).toContainEqual({ reading: { user_id: null } });
  expect(his.frames).toContainEqual({ reading: { user_id: "hanako" } });

  await hanako.call(saveReading, { shows_reading: true });

  expect(await readBy(taro, hanako)).toBe(second.id);
  expect(await readBy(hanako, taro)).toBe(reply.id);
  await eventually(() => {
    for (const socket of [hers, his])
      expect(kinds(socket).filter((kind) => kind === "reading")).toHaveLength(2);
  });
});

test("rejects read positions from unmatched members", async () => {
  const service = await serviceForTest();
  const { hanako } = await hanakoAndTaro(service);
  const unmatched = await service.member("unmatched");

  await expectError(read(hanako, unmatched, LAST_OF_ALL), "conversation_not_found");
  await expectError(hanako.call(readDm, { friendId: "unmatched" }), "conversation_not_found");
});
