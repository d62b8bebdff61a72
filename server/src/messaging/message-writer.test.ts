import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { AppContext } from "../platform/context.ts";
import { hanakoAndTaro, match } from "../testing/match.ts";
import { serviceForTest } from "../testing/service-for-test.ts";
import type { TestMember, TestService } from "../testing/test-service.ts";
import type { Draft } from "./message.ts";
import { createMessageWriter, type MessageWriter } from "./message-writer.ts";
import { pairOf } from "./pair.ts";
import { storeInTransaction } from "./plain-message-writer.ts";

const writers: [string, (ctx: AppContext) => MessageWriter][] = [
  ["the plain writer", (ctx) => ({ store: (draft) => storeInTransaction(ctx, draft) })],
  ["the writer of one statement", createMessageWriter],
];

function draftOf(from: TestMember, to: TestMember, text: string, clientId: string | null = null): Draft {
  return {
    pair: pairOf(from.memberId, to.memberId),
    senderMemberId: from.memberId,
    clientId,
    text,
    mediaId: null,
    voice: null,
    replyId: null,
    keyId: null,
  };
}

async function hanakoAndMatches(service: TestService, count: number) {
  const hanako = await service.member("hanako", { sex: "female", paid: true });
  const matches: TestMember[] = [];
  for (let i = 0; i < count; i++) {
    const other = await service.member(`match${i}`, { sex: "male", paid: true });
    await match(hanako, other);
    matches.push(other);
  }
  return { hanako, matches };
}

const countMessages = async ({ db }: TestService) =>
  (await db.selectFrom("messages").select("message_id").execute()).length;

describe.each(writers)("%s", (_, createWriter) => {
  test("stores a chain of rising ids when both members write at the same time through two servers", async () => {
    const here = await serviceForTest();
    const there = await serviceForTest({ beside: here });
    const { hanako, taro } = await hanakoAndTaro(here);
    const hers = createWriter(here.ctx);
    const his = createWriter(there.ctx);

    const stored = await Promise.all(
      Array.from({ length: 30 }, (__, i) => {
        here.clock.advance(1);
        return [hers.store(draftOf(hanako, taro, `hers ${i}`)), his.store(draftOf(taro, hanako, `his ${i}`))];
      }).flat(),
    );

    const chain = stored.toSorted((a, b) => (a.message.id < b.message.id ? -1 : 1));
    expect(chain.map(({ isNew }) => isNew)).toEqual(chain.map(() => true));
    expect(chain.map(({ previousId }) => previousId)).toEqual([
      null,
      ...chain.slice(0, -1).map(({ message }) => message.id),
    ]);
    expect(await countMessages(here)).toBe(60);
  });

  test("updates the conversation and both inboxes", async () => {
    const { db, ctx, ...service } = await serviceForTest();
    const { hanako, taro } = await hanakoAndTaro({ db, ctx, ...service });
    const writer = createWriter(ctx);
    await writer.store(draftOf(hanako, taro, "first"));
    service.clock.advance(1);

    const { message } = await writer.store(draftOf(taro, hanako, "second"));

    const conversations = await db.selectFrom("conversations").select("last_message_id").execute();
    expect(conversations).toEqual([{ last_message_id: message.id }]);
    const received = await db
      .selectFrom("inbox")
      .select("last_received_id")
      .where("last_message_id", "=", message.id)
      .where("member_no", "=", hanako.memberId)
      .execute();
    expect(received).toEqual([{ last_received_id: message.id }]);
    const sent = await db
      .selectFrom("inbox")
      .select("last_message_id")
      .where("member_no", "=", taro.memberId)
      .execute();
    expect(sent).toEqual([{ last_message_id: message.id }]);
  });

  test("stores a message once when two servers get it several times at the same time", async () => {
    const here = await serviceForTest();
    const there = await serviceForTest({ beside: here });
    const { hanako, matches } = await hanakoAndMatches(here, 6);
    const servers = [createWriter(here.ctx), createWriter(there.ctx)];
    for (const other of matches) await servers[0]!.store(draftOf(other, hanako, "first"));
    here.clock.advance(1);

    const stored = await Promise.all(
      matches.flatMap((other) => {
        const draft = draftOf(other, hanako, "once", randomUUID());
        return [...servers, ...servers].map((writer) => writer.store(draft));
      }),
    );

    expect(stored.filter(({ isNew }) => isNew)).toHaveLength(6);
    expect(new Set(stored.map(({ message }) => message.id)).size).toBe(6);
    expect(await countMessages(here)).toBe(12);
  });

  test("stores the messages of other pairs while one conversation is locked", async () => {
    const service = await serviceForTest();
    const { hanako, matches } = await hanakoAndMatches(service, 5);
    const [locked, ...others] = matches as [TestMember, ...TestMember[]];
    const writer = createWriter(service.ctx);
    for (const other of matches) await writer.store(draftOf(other, hanako, "first"));
    service.clock.advance(1);

    const waiting = await service.db.transaction().execute(async (tx) => {
      await sql`select from conversations where pair = ${pairOf(hanako.memberId, locked.memberId).key} for update`.execute(
        tx,
      );
      const late = writer.store(draftOf(locked, hanako, "second"));
      await Promise.all(others.map((other) => writer.store(draftOf(other, hanako, "second"))));
      expect(await countMessages(service)).toBe(5 + 4);
      return { late };
    });

    expect(await waiting.late).toMatchObject({ isNew: true });
    expect(await countMessages(service)).toBe(5 + 5);
  });

  test("counts the links of a new account when its messages arrive at the same time", async () => {
    const service = await serviceForTest({ config: { hasRateLimits: true } });
    const { hanako, matches } = await hanakoAndMatches(service, 6);
    const writer = createWriter(service.ctx);

    const outcomes = await Promise.allSettled(
      matches.map((other) => writer.store(draftOf(hanako, other, "see example.com"))),
    );

    const rejected = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    expect(rejected).toHaveLength(3);
    for (const error of rejected) expect(error).toMatchObject({ code: "too_many_links" });
    expect(await countMessages(service)).toBe(3);
  });
});
