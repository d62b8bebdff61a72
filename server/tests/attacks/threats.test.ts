import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { calls } from "@alcove/contract";
import { getOwnUser } from "@alcove/contract/accounts";
import { getUser, likeUser } from "@alcove/contract/discovery";
import { getDms, getLastDms, sendDm } from "@alcove/contract/messaging";
import { blockUser, pressThreat } from "@alcove/contract/safety";
import { startServer } from "@alcove/test-services/server";
import { exportOf } from "../../src/testing/export.ts";
import { hanakoAndTaro } from "../../src/testing/match.ts";
import { serviceForTest } from "../../src/testing/service-for-test.ts";
import { recordStatements } from "../../src/testing/statements.ts";
import { eventually, type TestMember } from "../../src/testing/test-service.ts";
import { namingCalls, respondToName } from "./naming-calls.ts";

/** Calls without input, such as lists and own settings. */
const lists = calls.filter(
  ({ access, method, input, file }) =>
    access === "member" &&
    method === "GET" &&
    file === null &&
    Object.keys(input._zod.def.shape).length === 0,
);

const UUID = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const withoutIds = (text: string) =>
  text
    .replaceAll(UUID, "id")
    .replaceAll(/\d{12}/g, "number")
    .replaceAll(/[\w-]{40,}/g, "token");

/** What Taro gets after Hanako has ended their chat: frames, each response with its statements, and his export. */
async function seenByTaro(end: (hanako: TestMember) => Promise<unknown>) {
  const service = await serviceForTest();
  service.clock.set("2031-05-05T12:20:00Z");
  const { hanako, taro } = await hanakoAndTaro(service);
  await taro.call(sendDm, { receiverId: "hanako", description: "Pay, or I tell." });
  await hanako.call(sendDm, { receiverId: "taro", description: "Please stop." });
  const [events, chat] = [await taro.socket("/ws/events"), await taro.socket("/ws/dm/hanako")];
  await service.ctx.jobs.stop(); // their statements would count
  await end(hanako);
  await eventually(() => {
    expect(events.frames).toHaveLength(1);
    expect(chat.closed).not.toBeNull();
  });
  const seen: unknown[] = [events.frames, chat.frames, chat.closed];
  const exported = JSON.stringify((await exportOf(taro)).data);
  for (const call of lists) {
    const response = await taro.fetch(`/en${call.path}`);
    seen.push(`${call.name} ${response.status} ${withoutIds(await response.text())}`);
  }
  for (const call of namingCalls) {
    seen.push(withoutIds(await respondToName(taro, call, "hanako")));
  }
  for (const call of [getUser, getDms] as const) {
    const respond = () => respondToName(taro, call, "hanako");
    await respond();
    seen.push(await recordStatements(respond));
  }
  return { seen, exported: withoutIds(exported) };
}

test("a press gives the accused the same as a block, in frames, responses, statements and export", async () => {
  const block = await seenByTaro((hanako) => hanako.call(blockUser, { userId: "taro" }));
  const press = await seenByTaro((hanako) => hanako.call(pressThreat, { userId: "taro" }));

  expect(press).toEqual(block);
}, 60_000);

test(
  "a press is there as a whole or not at all when the server is killed in each phase",
  { tags: "long", timeout: 300_000 },
  async () => {
    const service = await serviceForTest();
    const { hanako, taro } = await hanakoAndTaro(service);
    await taro.call(sendDm, { receiverId: "hanako", description: "Pay, or I tell." });
    const waitingFor = (table: string) => sql<{ n: number }>`
    select count(*)::int as n from pg_locks where not granted and relation = ${table}::regclass
      and database = (select oid from pg_database where datname = current_database())`;
    const state = async () => ({
      cases: (await service.db.selectFrom("cases").select("case_no").execute()).length,
      chats: (
        await service.db
          .selectFrom("case_evidence")
          .select("case_no")
          .where("report_no", "is not", null)
          .execute()
      ).length,
      edges: (await service.db.selectFrom("block_edges").select("dir").execute()).length,
      dms: (await hanako.call(getLastDms, {})).dms.length,
      isPaused: (await hanako.call(getOwnUser, {})).user.paused,
    });

    for (const table of ["cases", "block_edges", "hidden_messages", "case_evidence"]) {
      const server = await startServer({
        DATABASE_URL: service.databaseUrl,
        DATA_DIR: service.dataDir,
        LOG_LEVEL: "warn",
      });
      onTestFinished(() => void server.stop("SIGKILL"));
      await service.db.transaction().execute(async (tx) => {
        await sql`lock table ${sql.table(table)} in exclusive mode`.execute(tx);
        const lost = service
          .memberAt(hanako, server.url)
          .call(pressThreat, { userId: "taro", hide: true })
          .catch(() => null);
        await eventually(async () =>
          expect((await waitingFor(table).execute(service.db)).rows[0]!.n).toBe(1),
        );
        await server.stop("SIGKILL");
        expect(await lost).toBeNull();
      });
      await eventually(async () => expect((await waitingFor(table).execute(service.db)).rows[0]!.n).toBe(0));
      await eventually(async () =>
        expect(await state()).toEqual({ cases: 0, chats: 0, edges: 0, dms: 1, isPaused: false }),
      );
    }

    const { number } = await hanako.call(pressThreat, { userId: "taro", hide: true });
    expect(await state()).toEqual({ cases: 1, chats: 1, edges: 2, dms: 0, isPaused: true });
    expect((await hanako.call(pressThreat, { userId: "taro", hide: true })).number).toBe(number);
    expect((await state()).chats).toBe(1);
    await expect(taro.call(likeUser, { likedId: "hanako" })).rejects.toThrow();
  },
);
