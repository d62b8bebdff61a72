import { randomUUID } from "node:crypto";
import { CompiledQuery, sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { getDms, sendDm } from "@alcove/contract/messaging";
import { startNetworkProxy } from "@alcove/test-services/network-proxy";
import { match } from "../testing/match.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import { CLUSTER } from "../testing/cluster-database.ts";
import { recordStatements, recordStatementsWithValues } from "../testing/statements.ts";
import { eventually, type TestMember, type TestService } from "../testing/test-service.ts";
import { pairOf } from "./pair.ts";

const MATCHES = 12;

/** Each match has written to Hanako once. */
async function hanakoAndMatches(service: TestService) {
  const hanako = await service.member("hanako", { paid: true });
  const matches = await Promise.all(
    Array.from({ length: MATCHES }, (_, i) => service.member(`match${i}`, { sex: "male", paid: true })),
  );
  for (const other of matches) {
    await match(hanako, other);
    await write(service, other, hanako, "first");
  }
  return { hanako, matches };
}

/** Advances the clock, so that ids rise. */
function write(service: TestService, from: TestMember, to: TestMember, text: string, clientId?: string) {
  service.clock.advance(1);
  return service.memberAt(from).call(sendDm, { receiverId: to.user_id, description: text, clientId });
}

const textsWith = async (me: TestMember, other: TestMember) =>
  (await me.call(getDms, { friendId: other.user_id })).dms.map(({ description }) => description);

test("stores messages of many pairs once and in order when two servers get them together", async () => {
  const here = await serviceForTest();
  const there = await serviceForTest({ beside: here });
  const { hanako, matches } = await hanakoAndMatches(here);
  const hanakosSocket = await hanako.socket("/ws/events");

  for (let round = 0; round < 4; round++) {
    await Promise.all(
      matches.flatMap((other) => [
        write(here, other, hanako, `to her ${round}`),
        write(there, hanako, other, `to him ${round}`),
      ]),
    );
  }

  await eventually(() => expect(hanakosSocket.frames).toHaveLength(MATCHES * 8));
  const frames = hanakosSocket.frames as {
    dm: { id: string; sender: { user_id: string }; receiver: { user_id: string } };
  }[];
  for (const other of matches) {
    const { dms } = await other.call(getDms, { friendId: "hanako" });
    expect(dms).toHaveLength(9);
    const pushed = frames
      .map(({ dm }) => dm)
      .filter(({ sender, receiver }) => [sender.user_id, receiver.user_id].includes(other.user_id));
    expect(pushed.map(({ id }) => id)).toEqual(dms.slice(1).map(({ id }) => id));
    const { id } = dms.at(-1)!;
    const ofPair = here.db
      .selectFrom("conversations")
      .select("last_message_id")
      .where("pair", "=", pairOf(hanako.memberId, other.memberId).key);
    expect(await ofPair.execute()).toEqual([{ last_message_id: id }]);
    const ofSides = here.db
      .selectFrom("inbox")
      .select("last_message_id")
      .where((row) =>
        row.or([
          row.and({ member_no: hanako.memberId, other_no: other.memberId }),
          row.and({ member_no: other.memberId, other_no: hanako.memberId }),
        ]),
      );
    expect(await ofSides.execute()).toEqual([{ last_message_id: id }, { last_message_id: id }]);
  }
}, 60_000);

test.runIf(CLUSTER.length === 0)(
  "needs four statements for a message, and no transaction, after the first messages",
  async () => {
    const service = await serviceForTest();
    const { hanako, matches } = await hanakoAndMatches(service);
    await write(service, matches[0]!, hanako, "second");

    const statements = await recordStatements(() => write(service, matches[0]!, hanako, "third"));

    expect(
      statements.map((text) => /join "sessions"|"profiles"|update conversations|pg_notify/.exec(text)?.[0]),
    ).toEqual(['join "sessions"', '"profiles"', "update conversations", "pg_notify"]);
  },
);

test("rejects only the message to a lost match when others arrive at the same time", async () => {
  const service = await serviceForTest();
  const { hanako, matches } = await hanakoAndMatches(service);
  const [gone, ...others] = matches as [TestMember, ...TestMember[]];
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

  const outcomes = await Promise.allSettled(matches.map((other) => write(service, other, hanako, "second")));

  expect(outcomes[0]).toMatchObject({ status: "rejected", reason: { code: "conversation_not_found" } });
  for (const other of others) expect(await textsWith(hanako, other)).toEqual(["first", "second"]);
});

test.each(["the match is lost", "the members match again"])(
  "stores the messages of others when a conversation's key was destroyed and %s",
  async (now) => {
    const service = await serviceForTest();
    const { keys } = service.ctx.encryption;
    const { hanako, matches } = await hanakoAndMatches(service);
    const [gone, ...others] = matches as [TestMember, ...TestMember[]];
    const pair = pairOf(hanako.memberId, gone.memberId).key;
    const { key_id } = await service.db
      .deleteFrom("conversations")
      .where("pair", "=", pair)
      .returning("key_id")
      .executeTakeFirstOrThrow();
    await service.db.deleteFrom("messages").where("pair", "=", pair).execute();
    await keys.destroy(service.db, [key_id]);
    keys.forget(key_id);
    const isMatched = now !== "the match is lost";
    if (!isMatched) {
      await service.db
        .deleteFrom("match_edges")
        .where((edge) => edge.or({ member_no: gone.memberId, other_no: gone.memberId }))
        .execute();
    }

    for (const text of ["second", "third"]) {
      const outcomes = await Promise.allSettled(matches.map((other) => write(service, other, hanako, text)));
      expect(outcomes.map(({ status }) => status)).toEqual([
        isMatched ? "fulfilled" : "rejected",
        ...others.map(() => "fulfilled"),
      ]);
    }

    for (const other of others) expect(await textsWith(hanako, other)).toEqual(["first", "second", "third"]);
    if (isMatched) expect(await textsWith(hanako, gone)).toEqual(["second", "third"]);
  },
);

test("stores later messages when earlier connections to the database stop responding", async () => {
  const here = await serviceForTest();
  const { hanako, matches } = await hanakoAndMatches(here);
  const line = await startNetworkProxy(here.databaseUrl);
  onTestFinished(line.close);
  const there = await serviceForTest({ beside: { ...here, databaseUrl: line.url } });
  await Promise.all(matches.slice(0, 4).map((other) => write(there, other, hanako, "before")));
  line.silence();

  // Each attempt sends a new message; earlier ones wait for a connection that never responds.
  let [sent, stored] = [0, 0];
  // They come slowly, because a member has four turns only.
  const attempt = () => {
    write(there, matches[4 + (sent++ % 8)]!, hanako, "after").then(
      () => stored++,
      () => undefined,
    );
    expect(stored).toBeGreaterThan(3);
  };
  await vi.waitFor(attempt, { timeout: 15_000, interval: 200 });
  line.cut();
}, 30_000);

test("reads only rows by key when a conversation advances", async () => {
  const service = await serviceForTest();
  const { db } = service;
  const { hanako, matches } = await hanakoAndMatches(service);
  await sql`insert into conversations (pair, key_id, last_message_id)
    select n || ':' || n + 1, -n, gen_random_uuid() from generate_series(10001, 15000) n`.execute(db);
  await sql`insert into messages (pair, message_id, sender_no, client_id, encrypted_text)
    select 10001 + n % 5000 || ':' || 10002 + n % 5000, gen_random_uuid(), 10001 + n % 5000, gen_random_uuid(), 'x'
    from generate_series(1, 20000) n`.execute(db);
  await sql`analyze conversations, messages`.execute(db);
  const recorded = await recordStatementsWithValues(() =>
    write(service, matches[0]!, hanako, "second", randomUUID()),
  );
  const { text, values } = recorded.find((statement) => statement.text.includes("update conversations"))!;

  const { rows } = await db.executeQuery(CompiledQuery.raw(`explain ${text}`, [...values]));

  const plan = rows.map((row) => (row as { "QUERY PLAN": string })["QUERY PLAN"]).join("\n");
  expect(plan).toMatch(/conversations_pkey/);
  expect(plan).toMatch(/Index (Only )?Scan using messages_client_id/);
  expect(plan).not.toMatch(/Seq Scan on (conversations|messages)\b/);
});
