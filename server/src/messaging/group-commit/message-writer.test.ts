import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { getDms, sendDm } from "@alcove/contract/messaging";
import { openLine } from "@alcove/test-services/network-proxy";
import { match, serviceOfTest } from "../../testing/match.ts";
import { eventually, type TestMember, type TestService } from "../../testing/test-service.ts";
import { moveOnQuery } from "../conversations.sql.ts";
import { pairOf } from "../pair.ts";

const FRIENDS = 12;

/** Hanako and friends of hers, who have all written to her once. */
async function hanakoAndFriends(service: TestService) {
  const hanako = await service.member("hanako", { paid: true });
  const friends = await Promise.all(
    Array.from({ length: FRIENDS }, (_, i) => service.member(`friend${i}`, { sex: "male", paid: true })),
  );
  for (const friend of friends) {
    await match(hanako, friend);
    await write(service, friend, hanako, "first");
  }
  return { hanako, friends };
}

/** A moment after the last one, as time goes: a clock that stands still makes ids that have to be put right one by one. */
function write(service: TestService, from: TestMember, to: TestMember, text: string, clientId?: string) {
  service.clock.advance(1);
  return service.meet(from).ask(sendDm, { receiverId: to.user_id, description: text, clientId });
}

const textsWith = async (me: TestMember, friend: TestMember) =>
  (await me.ask(getDms, { friendId: friend.user_id })).dms.map(({ description }) => description);

/** How many messages each transaction has stored that has stored any. */
async function sizesOfTransactions({ db }: TestService): Promise<number[]> {
  const { rows } = await sql<{ size: number }>`
    select count(*)::int4 as size from messages group by xmin::text`.execute(db);
  return rows.map(({ size }) => size);
}

test("messages of many pairs at once, by two servers, are stored together, each once and in the order of its pair", async () => {
  const here = await serviceOfTest();
  const there = await serviceOfTest({ beside: here });
  const { hanako, friends } = await hanakoAndFriends(here);
  const hers = await hanako.socket("/ws/events");

  for (let round = 0; round < 4; round++) {
    await Promise.all(
      friends.flatMap((friend) => [
        write(here, friend, hanako, `to her ${round}`),
        write(there, hanako, friend, `to him ${round}`),
      ]),
    );
  }

  expect(Math.max(...(await sizesOfTransactions(here)))).toBeGreaterThan(3);
  await eventually(() => expect(hers.frames).toHaveLength(FRIENDS * 8));
  const frames = hers.frames as {
    dm: { id: string; sender: { user_id: string }; receiver: { user_id: string } };
  }[];
  for (const friend of friends) {
    const { dms } = await friend.ask(getDms, { friendId: "hanako" });
    expect(dms).toHaveLength(9);
    const pushed = frames
      .map(({ dm }) => dm)
      .filter(({ sender, receiver }) => [sender.user_id, receiver.user_id].includes(friend.user_id));
    expect(pushed.map(({ id }) => id)).toEqual(dms.slice(1).map(({ id }) => id));
    const lasts = await here.db
      .selectFrom("conversations")
      .innerJoin("inbox", (join) => join.onTrue())
      .select(["conversations.last_message_id as of_pair", "inbox.last_message_id as of_side"])
      .where("pair", "=", pairOf(hanako.memberId, friend.memberId).key)
      .where((row) =>
        row.or([
          row.and({ member_no: hanako.memberId, other_no: friend.memberId }),
          row.and({ member_no: friend.memberId, other_no: hanako.memberId }),
        ]),
      )
      .execute();
    const { id } = dms.at(-1)!;
    expect(lasts).toEqual([
      { of_pair: id, of_side: id },
      { of_pair: id, of_side: id },
    ]);
  }
}, 60_000);

test("a conversation that somebody holds keeps nobody else waiting, and its own message comes when it is free", async () => {
  const service = await serviceOfTest();
  const { hanako, friends } = await hanakoAndFriends(service);
  const [held, ...others] = friends as [TestMember, ...TestMember[]];
  let waiting: Promise<unknown> = Promise.resolve();
  await service.db.transaction().execute(async (tx) => {
    await sql`select from conversations where pair = ${pairOf(hanako.memberId, held.memberId).key} for update`.execute(
      tx,
    );

    waiting = write(service, held, hanako, "late");
    await Promise.all(others.map((friend) => write(service, friend, hanako, "at once")));

    expect(await textsWith(hanako, held)).toEqual(["first"]);
  });

  await waiting;
  expect(await textsWith(hanako, held)).toEqual(["first", "late"]);
  for (const friend of others) expect(await textsWith(hanako, friend)).toEqual(["first", "at once"]);
});

test("a message that comes again at the same time on two servers is stored once, and those beside it as well", async () => {
  const here = await serviceOfTest();
  const there = await serviceOfTest({ beside: here });
  const { hanako, friends } = await hanakoAndFriends(here);
  const clientIds = friends.map(() => randomUUID());

  const answers = await Promise.all(
    friends.map((friend, i) =>
      Promise.all([here, there, here].map((at) => write(at, friend, hanako, "once", clientIds[i]))),
    ),
  );

  for (const [i, friend] of friends.entries()) {
    expect(new Set(answers[i]!.map(({ dm }) => dm.id)).size).toBe(1);
    expect(await textsWith(hanako, friend)).toEqual(["first", "once"]);
  }
});

test("whoever is not matched any more is refused alone, in the midst of others", async () => {
  const service = await serviceOfTest();
  const { hanako, friends } = await hanakoAndFriends(service);
  const [gone, ...others] = friends as [TestMember, ...TestMember[]];
  const { low, high } = pairOf(hanako.memberId, gone.memberId);
  await service.db.deleteFrom("conversations").where("pair", "=", `${low}:${high}`).execute();
  for (const [member_no, other_no] of [
    [low, high],
    [high, low],
  ] as const) {
    await service.db
      .deleteFrom("match_edges")
      .where("member_no", "=", member_no)
      .where("other_no", "=", other_no)
      .execute();
  }

  const outcomes = await Promise.allSettled(
    friends.map((friend) => write(service, friend, hanako, "second")),
  );

  expect(outcomes[0]).toMatchObject({ status: "rejected", reason: { code: "conversation_not_found" } });
  for (const friend of others) expect(await textsWith(hanako, friend)).toEqual(["first", "second"]);
  expect(Math.max(...(await sizesOfTransactions(service)))).toBeGreaterThan(3);
});

test("connections to the database that fall silent keep those waiting whom they carry, and nobody who comes after", async () => {
  const here = await serviceOfTest();
  const { hanako, friends } = await hanakoAndFriends(here);
  const line = await openLine(here.databaseUrl);
  onTestFinished(line.close);
  const there = await serviceOfTest({ beside: { ...here, databaseUrl: line.url } });
  await Promise.all(friends.slice(0, 4).map((friend) => write(there, friend, hanako, "before")));
  line.silence();

  // Each asks anew; those before wait for a connection that will never answer.
  let [asked, answered] = [0, 0];
  await eventually(() => {
    write(there, friends[4 + (asked++ % 8)]!, hanako, "after").then(
      () => answered++,
      () => undefined,
    );
    expect(answered).toBeGreaterThan(3);
  }, 15_000);
  line.cut();
}, 30_000);

test("the statement that moves pairs on reads their rows by key, and nothing else", async () => {
  const { db } = await serviceOfTest();
  await sql`insert into conversations (pair, last_message_id)
    select n || ':' || n + 1, gen_random_uuid() from generate_series(1, 5000) n`.execute(db);
  await sql`insert into messages (pair, message_id, sender_no, client_id, encrypted_text, created_at)
    select n % 5000 || ':' || n % 5000 + 1, gen_random_uuid(), n % 5000, gen_random_uuid(), 'x', now()
    from generate_series(1, 20000) n`.execute(db);
  await sql`analyze conversations, messages`.execute(db);
  const steps = Array.from({ length: 10 }, (_, i) => ({
    pair: pairOf(100 * i + 1, 100 * i + 2),
    id: randomUUID(),
    senderMemberId: 100 * i + 1,
    clientId: randomUUID(),
  }));

  const { rows } = await sql<{ "QUERY PLAN": string }>`explain ${moveOnQuery(steps)}`.execute(db);

  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  expect(plan).toMatch(/conversations_pkey/);
  expect(plan).toMatch(/SubPlan[\s\S]*Index Scan using messages_client_id/);
  expect(plan).not.toContain("Seq Scan");
});
