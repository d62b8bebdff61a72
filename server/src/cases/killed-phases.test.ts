// @module-tag long
import { once } from "node:events";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { deleteAccount } from "@alcove/contract/accounts";
import { sendDm } from "@alcove/contract/messaging";
import { reportUser } from "@alcove/contract/safety";
import { startServer } from "@alcove/test-services/server";
import { decide, readOpenReports } from "../testing/cases.ts";
import { hold } from "../testing/hold.ts";
import { hanakoAndTaro } from "../testing/match.ts";
import { environmentOf, startOperator } from "../testing/operator.ts";
import { fileOf, quarters } from "../testing/sample-pictures.ts";
import { ownService } from "../testing/service-for-test.ts";
import { countLockWaits } from "../testing/statements.ts";
import { eventually, type TestService } from "../testing/test-service.ts";
import { applyDecisions } from "./decide.ts";
import { sweepCases } from "./retention.ts";

// Each phase starts a process.
vi.setConfig({ testTimeout: 180_000 });
const SLOW_MS = 60_000;
const picture = await quarters(64, 64).jpeg().toBuffer();

/** Kills a process while it waits for the lock of a statement, so that its transaction ends half done. */
async function killWhileWaiting(
  service: TestService,
  lock: string,
  start: () => Promise<{ kill: () => Promise<unknown> }>,
): Promise<void> {
  const held = await hold(service.db, lock);
  const { kill } = await start();
  await eventually(async () => expect(await countLockWaits(service)).toBeGreaterThan(0), SLOW_MS);
  await kill();
  await held.release();
  await eventually(async () => expect(await countLockWaits(service)).toBe(0), SLOW_MS);
}

async function serverFor(service: TestService) {
  const server = await startServer({ ...environmentOf(service), BOT_CHECK: "off", RATE_LIMITS: "off" });
  onTestFinished(async () => void (await server.stop("SIGKILL")));
  return { url: server.url, kill: () => server.stop("SIGKILL") };
}

const decisions = ({ db }: TestService) => db.selectFrom("case_decisions").select(["state"]).execute();

test("keeps each case whole when a process is killed in any phase", async () => {
  const service = await ownService();
  const { ctx, db } = service;
  await ctx.jobs.stop();
  const { hanako, taro } = await hanakoAndTaro(service);
  const file = fileOf(picture);
  const { dm } = await taro.call(sendDm, { receiverId: "hanako", description: "Send money.", file });
  const report = (url = service.url) =>
    service.memberAt(hanako, url).call(reportUser, { userId: "taro", reason: "threat", dmId: dm.id });

  await killWhileWaiting(service, "lock table case_evidence in share mode", async () => {
    const server = await serverFor(service);
    report(server.url).catch(() => undefined);
    return server;
  });
  expect(await db.selectFrom("cases").select("case_no").execute()).toEqual([]);
  await report();
  const [{ caseNo, message } = { caseNo: 0, message: null }] = await readOpenReports(ctx);
  expect(message).toMatchObject({ text: "Send money.", hasImage: true });

  await killWhileWaiting(service, "lock table left_accounts in share mode", async () => {
    const server = await serverFor(service);
    service
      .memberAt(taro, server.url)
      .call(deleteAccount, {})
      .catch(() => undefined);
    return server;
  });
  await taro.call(deleteAccount, {});
  expect((await readOpenReports(ctx)).map((one) => one.message?.text)).toEqual(["Send money."]);

  const words = ["--decision", "ban", "--rule", "fraud", "--reason", "asks for money"];
  await killWhileWaiting(service, "lock table case_decisions in share mode", async () => {
    const command = startOperator(environmentOf(service), "cases", "decide", String(caseNo), ...words);
    const closed = once(command, "close");
    return { kill: () => (command.kill("SIGKILL"), closed) };
  });
  expect(await decisions(service)).toEqual([]);
  expect(await readOpenReports(ctx)).toHaveLength(1);
  expect(await decide(ctx, caseNo, { decision: "ban", rule: "fraud" })).toBe(true);

  await sql`update case_decisions set effective_at = '2020-01-01'`.execute(db);
  await killWhileWaiting(service, "select from case_decisions for update", async () => {
    await ctx.jobs.add(db, "apply_decisions", {});
    return serverFor(service);
  });
  expect(await decisions(service)).toEqual([{ state: "waiting" }]);
  await Promise.all([1, 2].map(() => applyDecisions(ctx)));
  expect(await decisions(service)).toEqual([{ state: "announced" }]);

  await sql`update cases set keep_until = '2020-01-01'`.execute(db);
  await killWhileWaiting(service, "lock table reports in share mode", async () => {
    await ctx.jobs.add(db, "sweep_cases", {});
    return serverFor(service);
  });
  expect((await db.selectFrom("case_evidence").select("case_no").execute()).length).toBeGreaterThan(0);
  await sweepCases(ctx);
  for (const table of ["cases", "case_evidence", "case_decisions", "reports"] as const)
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([]);
});
