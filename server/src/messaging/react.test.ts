import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { deleteAccount } from "@alcove/contract/accounts";
import { unmatch } from "@alcove/contract/discovery";
import {
  getDms,
  getLastDms,
  REACTIONS,
  type ReactionName,
  reactToDm,
  unsendDm,
} from "@alcove/contract/messaging";
import { saveNotifications } from "@alcove/contract/notifications";
import { blockUser } from "@alcove/contract/safety";
import { suspendMember } from "../accounts/index.ts";
import { hanakoAndTaro, match } from "../testing/match.ts";
import { write } from "../testing/member-calls.ts";
import { PREFERENCES } from "../testing/pushes.ts";
import { rounds } from "../testing/rounds.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import {
  eventually,
  expectError,
  testService,
  type TestMember,
  type TestService,
  type TestSocket,
} from "../testing/test-service.ts";

const react = (me: TestMember, dmId: string, reaction: ReactionName | null) =>
  me.call(reactToDm, { dmId, reaction });
const page = (me: TestMember, other: TestMember, how: { afterId?: string; unsentAfter?: number } = {}) =>
  me.call(getDms, { friendId: other.user_id, ...how });
const reactionsOf = async (me: TestMember, other: TestMember, id: string) =>
  (await page(me, other)).dms.find((dm) => dm.id === id)?.reactions;
const framesOf = (socket: TestSocket) =>
  socket.frames.flatMap((frame) =>
    "reaction" in (frame as object) ? [(frame as { reaction: { reaction: string | null } }).reaction] : [],
  );

let shared: TestService;
let pairCount = 0;
beforeAll(async () => {
  shared = await testService();
});
const newPair = () => hanakoAndTaro(shared, pairCount++);

test("shows both members one reaction each, replaces it, and takes it back", async () => {
  const { hanako, taro } = await newPair();
  const { id, reactions } = await write(hanako, taro, "Good evening.");
  expect(reactions).toEqual([]);

  await react(taro, id, "heart");
  await react(taro, id, "laugh");
  await react(hanako, id, "yes");

  const [theirs, own] = [
    { reaction: "laugh", mine: false },
    { reaction: "yes", mine: true },
  ];
  expect(await reactionsOf(hanako, taro, id)).toEqual([theirs, own]);
  expect(await reactionsOf(taro, hanako, id)).toEqual([
    { reaction: "yes", mine: false },
    { reaction: "laugh", mine: true },
  ]);
  expect((await hanako.call(getLastDms, {})).dms[0]!.reactions).toEqual([theirs, own]);

  await react(taro, id, null);
  expect(await reactionsOf(hanako, taro, id)).toEqual([own]);
});

test("accepts form fields, and an empty one takes the reaction back", async () => {
  const { hanako, taro } = await newPair();
  const { id } = await write(hanako, taro, "Good evening.");
  const post = async (reaction: string) => {
    const body = new URLSearchParams({ dmId: id, reaction });
    return (await taro.fetch("/en/dm/api/reaction", { method: "POST", body })).status;
  };

  expect(await post("wow")).toBe(204);
  expect(await reactionsOf(hanako, taro, id)).toEqual([{ reaction: "wow", mine: false }]);
  expect(await post("")).toBe(204);
  expect(await reactionsOf(hanako, taro, id)).toEqual([]);
  for (const unknown of ["like", "HEART", "❤"]) expect(await post(unknown)).toBe(400);
});

test("finds a message whose id has capital letters, and keeps the chat readable", async () => {
  const { hanako, taro } = await newPair();
  const { id } = await write(hanako, taro, "Good evening.");
  const { id: taken } = await write(hanako, taro, "too much");
  const socket = await hanako.socket("/ws/events");

  await react(taro, id.toUpperCase(), "heart");
  await hanako.call(unsendDm, { friendId: taro.user_id, dmId: taken.toUpperCase() });

  await eventually(() => {
    expect(framesOf(socket)).toEqual([{ dm_id: id, user_id: taro.user_id, reaction: "heart" }]);
    expect(socket.frames).toContainEqual({ unsent: { user_id: taro.user_id, dm_id: taken } });
  });
  expect(await reactionsOf(hanako, taro, id)).toEqual([{ reaction: "heart", mine: false }]);
});

test("sends an event to all devices of both, on two servers, and nothing else", async () => {
  const here = await serviceForTest();
  const { hanako, taro } = await hanakoAndTaro(here);
  const there = await serviceForTest({ beside: here });
  for (const { ctx } of [here, there]) await ctx.jobs.stop(); // a job empties the outbox
  for (const one of [hanako, taro]) await one.call(saveNotifications, { ...PREFERENCES, digest: true });
  const { id } = await write(hanako, taro, "Good evening.");
  const outbox = () => here.db.selectFrom("notification_outbox").selectAll().execute();
  const before = await outbox();
  expect(before).toHaveLength(1);
  const sockets = await Promise.all([
    taro.socket("/ws/events"),
    there.memberAt(taro).socket("/ws/events"),
    hanako.socket("/ws/events"),
    there.memberAt(hanako).socket("/ws/events"),
  ]);
  const ofConversation = await taro.socket(`/ws/dm/${hanako.user_id}`);

  const expected: unknown[] = [];
  for (const reaction of ["thanks", null] as const) {
    await react(taro, id, reaction);
    await react(there.memberAt(taro), id, reaction); // changes nothing
    expected.push({ dm_id: id, user_id: "taro", reaction });
    for (const socket of sockets) await eventually(() => expect(framesOf(socket)).toEqual(expected));
  }

  expect(await outbox()).toEqual(before);
  await write(taro, hanako, "the end");
  await eventually(() => expect(ofConversation.frames).toHaveLength(1));
  expect((await hanako.call(getLastDms, {})).unread).toEqual(["taro"]);
  expect((await taro.call(getLastDms, {})).unread).toEqual(["hanako"]);
});

test("responds alike for an unknown message and for each that the member cannot see", async () => {
  const { hanako, taro } = await newPair();
  const [jiro, saburo, shiro] = await Promise.all(
    ["jiro", "saburo", "shiro"].map((name) => shared.member(name, { sex: "male", paid: true })),
  );
  for (const other of [jiro!, saburo!, shiro!]) await match(hanako, other);
  const foreign = await write(hanako, jiro!, "for Jiro");
  const taken = await write(hanako, taro, "too much");
  await hanako.call(unsendDm, { friendId: taro.user_id, dmId: taken.id });
  const [blocked, ended, suspended] = [
    await write(jiro!, hanako, "blocked"),
    await write(saburo!, hanako, "ended"),
    await write(shiro!, hanako, "suspended"),
  ];
  await jiro!.call(blockUser, { userId: hanako.user_id });
  await hanako.call(unmatch, { userId: "saburo", goodbye: null });
  await suspendMember(shared.ctx, shiro!.memberId);

  const refusals = [
    [taro, randomUUID()],
    [taro, foreign.id],
    [taro, taken.id],
    [hanako, taken.id],
    [hanako, blocked.id],
    [hanako, ended.id],
    [hanako, suspended.id],
  ] as const;
  const answers = await Promise.all(
    refusals.map(async ([who, dmId]) => {
      const response = await who.fetch("/en/dm/api/reaction", {
        method: "POST",
        body: new URLSearchParams({ dmId, reaction: "heart" }),
      });
      return `${response.status} ${await response.text()}`;
    }),
  );
  expect(answers[0]).toMatch(/^404 .*message_not_found/);
  expect(new Set(answers)).toEqual(new Set([answers[0]]));
});

test("lists changed reactions and unsent messages together, a hundred at a time", async () => {
  const { hanako, taro } = await newPair();
  const texts = Array.from({ length: 120 }, (_, i) => `message ${i}`);
  const ids = (await Promise.all(texts.map((text) => write(hanako, taro, text)))).map(({ id }) => id);
  const last = await write(hanako, taro, "stays");
  await Promise.all(ids.map((id) => react(taro, id, "sad")));
  await Promise.all(ids.slice(0, 30).map((dmId) => hanako.call(unsendDm, { friendId: taro.user_id, dmId })));

  const first = await page(hanako, taro, { afterId: last.id, unsentAfter: 0 });
  const second = await page(hanako, taro, { afterId: last.id, unsentAfter: first.unsent_no });

  expect([first.reacted.length + first.unsent.length, first.has_more]).toEqual([100, true]);
  expect([second.reacted.length + second.unsent.length, second.has_more]).toEqual([20, false]);
  const reacted = [...first.reacted, ...second.reacted];
  expect(reacted.map(({ id }) => id).toSorted()).toEqual(ids.slice(30).toSorted());
  expect(new Set(reacted.map(({ reactions }) => JSON.stringify(reactions)))).toEqual(
    new Set([JSON.stringify([{ reaction: "sad", mine: false }])]),
  );
  expect([...first.unsent, ...second.unsent].toSorted()).toEqual(ids.slice(0, 30).toSorted());
  expect((await page(hanako, taro)).unsent_no).toBe(second.unsent_no);
}, 60_000);

test("stores reactions in one encrypted value of one length, for each member and sign", async () => {
  const { hanako, taro } = await newPair();
  const ids = [];
  for (const reaction of REACTIONS)
    for (const who of [[hanako], [taro], [hanako, taro]]) {
      const { id } = await write(hanako, taro, "Good evening.");
      for (const one of who) await react(one, id, reaction);
      ids.push(id);
    }

  const rows = await shared.db.selectFrom("messages").selectAll().where("message_id", "in", ids).execute();

  expect(rows).toHaveLength(ids.length);
  expect(new Set(rows.map((row) => row.encrypted_reactions?.length)).size).toBe(1);
});

test("keeps the reactions of both sides when all react at the same time on two servers", async () => {
  const here = await serviceForTest();
  const there = await serviceForTest({ beside: here });
  const pairs = await Promise.all(
    Array.from({ length: rounds(40) }, async (_, i) => {
      const { hanako, taro } = await hanakoAndTaro(here, i + 1);
      const { id } = await write(hanako, taro, "Good evening.");
      return { hanako, taro, id, socket: await there.memberAt(hanako).socket("/ws/events") };
    }),
  );

  await Promise.all(
    pairs.flatMap(({ hanako, taro, id }) => [
      react(hanako, id, "heart"),
      react(there.memberAt(taro), id, "laugh"),
      react(there.memberAt(hanako), id, "heart"),
      react(taro, id, "laugh"),
      write(taro, hanako, "meanwhile"),
    ]),
  );

  for (const { hanako, taro, id, socket } of pairs) {
    expect(await reactionsOf(hanako, taro, id)).toEqual([
      { reaction: "laugh", mine: false },
      { reaction: "heart", mine: true },
    ]);
    await eventually(() => expect(framesOf(socket)).toHaveLength(2));
    expect((await page(hanako, taro)).unsent_no).toBe(2);
  }
}, 60_000);

test("ends each of many changes with the frame of the stored reaction", async () => {
  const here = await serviceForTest();
  const there = await serviceForTest({ beside: here });
  const { hanako, taro } = await hanakoAndTaro(here);
  const { id } = await write(hanako, taro, "Good evening.");
  const sockets = [await hanako.socket("/ws/events"), await there.memberAt(taro).socket("/ws/events")];

  const servers = [taro, there.memberAt(taro)];
  await Promise.all(
    Array.from({ length: 30 }, (_, i) => react(servers[i % 2]!, id, REACTIONS[i % REACTIONS.length]!)),
  );

  const [stored] = (await reactionsOf(hanako, taro, id))!;
  await react(taro, id, null);
  await react(taro, id, stored!.reaction);
  for (const socket of sockets)
    await eventually(() =>
      expect(framesOf(socket).slice(-1)).toEqual([
        { dm_id: id, user_id: "taro", reaction: stored!.reaction },
      ]),
    );
});

test("leaves no reaction when a message is unsent or a chat ends at the same time", async () => {
  const here = await serviceForTest();
  const there = await serviceForTest({ beside: here });
  const pairs = await Promise.all(
    Array.from({ length: rounds(48) }, async (_, i) => {
      const { hanako, taro } = await hanakoAndTaro(here, i + 1);
      return { hanako, taro, id: (await write(hanako, taro, "Good evening.")).id };
    }),
  );

  const outcomes = await Promise.all(
    pairs.map(async ({ hanako, taro, id }, i) => {
      const end = [
        () => hanako.call(unsendDm, { friendId: taro.user_id, dmId: id }),
        () => hanako.call(blockUser, { userId: taro.user_id }),
        () => hanako.call(unmatch, { userId: taro.user_id, goodbye: null }),
        () => hanako.call(deleteAccount, {}),
      ][i % 4]!;
      const reacting = react(there.memberAt(taro), id, "heart").then(
        () => "stored",
        (error: { code?: string }) => error.code,
      );
      await end();
      return reacting;
    }),
  );

  expect(new Set([...outcomes, "stored", "message_not_found"])).toEqual(
    new Set(["stored", "message_not_found"]),
  );
  const rows = await here.db.selectFrom("messages").select(["encrypted_reactions", "reacted_no"]).execute();
  expect(rows).toHaveLength(Math.ceil(pairs.length / 4));
  expect(rows.filter((row) => row.encrypted_reactions !== null || row.reacted_no !== null)).toEqual([]);
  const [{ hanako, taro, id }] = pairs as [(typeof pairs)[number]];
  expect((await page(taro, hanako)).dms).toEqual([]);
  await expectError(react(taro, id, "heart"), "message_not_found");
}, 60_000);
