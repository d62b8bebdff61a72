import { once } from "node:events";
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { deleteAccount, getDeletionReceipt, getOwnUser } from "@alcove/contract/accounts";
import { getDms, sendDm } from "@alcove/contract/messaging";
import { reportUser } from "@alcove/contract/safety";
import { startObjectStore } from "@alcove/test-services/s3";
import { startServer, type ServerProcess } from "@alcove/test-services/server";
import { openSession } from "../../../accounts/index.ts";
import { connectAlone } from "../../../platform/db/database.ts";
import { createS3Storage } from "../../../integrations/file-storage/s3.ts";
import { openDeletionList, readDeletions } from "../../../platform/keys/deletion-list.ts";
import { hold } from "../../../testing/hold.ts";
import { makeJobsDue } from "../../../testing/jobs.ts";
import { match } from "../../../testing/match.ts";
import { ownService } from "../../../testing/service-for-test.ts";
import { environmentOf, operator, startOperator } from "../../../testing/operator.ts";
import { createRestoreTarget, type RestoreTarget, temporaryFolder } from "../../../testing/restore-target.ts";
import { fileOf, quarters } from "../../../testing/sample-pictures.ts";
import { countLockWaits } from "../../../testing/statements.ts";
import { eventually, expectError, type TestMember, type TestService } from "../../../testing/test-service.ts";

// Each phase starts a process.
vi.setConfig({ testTimeout: 180_000 });
const SLOW_MS = 60_000;
const picture = await quarters(64, 64).jpeg().toBuffer();

/** Three members; Hanako chats with both others, and Jiro also sends pictures and is reported. */
async function livingService() {
  const service = await ownService();
  const [hanako, taro, jiro] = (await Promise.all(
    ["hanako", "taro", "jiro"].map((name) => service.member(name, { paid: true })),
  )) as [TestMember, TestMember, TestMember];
  await match(hanako, taro);
  await match(hanako, jiro);
  await hanako.call(sendDm, { receiverId: "taro", description: "to Taro" });
  await hanako.call(sendDm, { receiverId: "taro", file: fileOf(picture) });
  await jiro.call(sendDm, { receiverId: "hanako", description: "to Hanako" });
  await hanako.call(sendDm, { receiverId: "jiro", file: fileOf(picture) });
  await hanako.call(reportUser, { userId: "jiro", reason: "spam", detail: "tiresome" });
  return { service, hanako, taro, jiro };
}

async function startProcess({ databaseUrl, dataDir }: RestoreTarget, variables = {}): Promise<ServerProcess> {
  const server = await startServer({
    ...environmentOf({ databaseUrl, dataDir }),
    BOT_CHECK: "off",
    RATE_LIMITS: "off",
    FACE_DETECTION: "off",
    ...variables,
  });
  onTestFinished(async () => void (await server.stop("SIGKILL")));
  return server;
}

async function backUp(service: TestService, ...words: string[]): Promise<string> {
  const to = `${await temporaryFolder()}/`;
  const { out, problems } = await operator(environmentOf(service), ...words, "--to", to, "--json");
  expect(problems).toBe("");
  return (JSON.parse(out) as { path: string }).path;
}

const listed = async ({ ctx }: TestService) => (await readDeletions(ctx.config.deletionsDir))?.keyIds;

async function memberIdsAt(url: string): Promise<number[]> {
  const { client, close } = await connectAlone(url);
  const { rows } = await client.query<{ member_no: number }>("select member_no from members order by 1");
  await close();
  return rows.map(({ member_no }) => member_no);
}

async function rowsWith(url: string, memberId: number): Promise<string[]> {
  const { client, close } = await connectAlone(url);
  const tables: [string, string[]][] = [
    ["data_keys", ["key_id"]],
    ["profiles", ["member_no"]],
    ["email_index", ["member_no"]],
    ["logins", ["member_no"]],
    ["media_files", ["member_no"]],
    ["match_edges", ["member_no", "other_no"]],
    ["inbox", ["member_no", "other_no"]],
    ["messages", ["sender_no"]],
    ["reports", ["reporter_no"]],
  ];
  const found: string[] = [];
  for (const [table, columns] of tables) {
    const where = columns.map((column) => `${column} = ${memberId}`).join(" or ");
    const { rows } = await client.query(`select from ${table} where ${where}`);
    if (rows.length > 0) found.push(table);
  }
  await close();
  return found;
}

test("restores nothing that was deleted after the backup, and everything else", async () => {
  const { service, hanako, taro, jiro } = await livingService();
  const path = await backUp(service, "backup");
  const keysBefore = await backUp(service, "keys", "backup");
  const empty = join(await temporaryFolder(), "empty.txt");
  await cp(join(service.ctx.config.deletionsDir, "deletions.txt"), empty);
  await jiro.call(deleteAccount, {});
  await eventually(async () => expect(await listed(service)).toContain(jiro.memberId));
  const keysAfter = await backUp(service, "keys", "backup");

  for (const [keys, deletions] of [
    [keysBefore, service.ctx.config.deletionsDir],
    [keysAfter, empty],
  ] as const) {
    const place = await createRestoreTarget(service);
    const words = ["restore", "--from", path, "--keys", keys, "--deletions", deletions];
    const restored = await operator(environmentOf(place), ...words, "--json");

    expect(restored.problems).toBe("");
    expect(JSON.parse(restored.out)).toMatchObject({ members: "2" });
    expect(await memberIdsAt(place.databaseUrl)).toEqual(
      [hanako.memberId, taro.memberId].toSorted((a, b) => a - b),
    );
    expect(await rowsWith(place.databaseUrl, jiro.memberId)).toEqual([]);
    const again = await ownService({ beside: { ...service, ...place } });
    const { receipt } = await service.call(getDeletionReceipt, { token: jiro.refresh });
    const list = (await (await again.fetch("/.well-known/deletions.json")).json()) as { keys: number[] };
    expect(list.keys).toEqual([Number(/\d{15}/.exec(receipt)![0])]);
    const { access } = await openSession(again.ctx, taro.memberId);
    const he = again.memberAt({ ...taro, access });
    const { dms } = await he.call(getDms, { friendId: "hanako" });
    expect(dms.map(({ description }) => description)).toEqual(["to Taro", null]);
    expect((await again.fetch(dms[1]!.file!)).status).toBe(200);
    // Icons of two members, and one picture of a message.
    const media = await readdir(join(place.dataDir, "media"), { recursive: true });
    expect(media.filter((name) => name.includes("/")).length).toBe(await countMedia(again));
    await again.close();
  }
});

async function countMedia({ db }: TestService): Promise<number> {
  return (await db.selectFrom("media_files").select("media_id").execute()).length;
}

test("completes or undoes a deletion when the server is killed in any phase", { tags: "long" }, async () => {
  const { service, jiro, taro } = await livingService();
  await service.ctx.jobs.stop();
  const { deletionsDir } = service.ctx.config;
  const before = await hold(service.db, `select from data_keys where key_id = ${jiro.memberId} for update`);
  let server = await startProcess(service);
  const deletion = service.memberAt(jiro, server.url).call(deleteAccount, {});
  const failed = expect(deletion).rejects.toThrow();
  await eventually(async () => expect(await countLockWaits(service)).toBe(1), SLOW_MS);
  await server.stop("SIGKILL");
  await before.release();
  await failed;

  server = await startProcess(service);
  expect((await service.memberAt(jiro, server.url).call(getOwnUser, {})).user.user_id).toBe("jiro");
  expect(await listed(service)).toEqual(new Set());

  // The list cannot be written while its folder is a file.
  await rename(deletionsDir, `${deletionsDir}.aside`);
  await writeFile(deletionsDir, "");
  await service.memberAt(jiro, server.url).call(deleteAccount, {});
  await eventually(async () => {
    const { rows } = await sql`
      select from graphile_worker.jobs where task_identifier = 'list_deletions' and attempts > 0`.execute(
      service.db,
    );
    expect(rows).not.toEqual([]);
  }, SLOW_MS);
  await server.stop("SIGKILL");
  await rm(deletionsDir);
  await rename(`${deletionsDir}.aside`, deletionsDir);
  await makeJobsDue(service);

  server = await startProcess(service);
  await eventually(async () => expect(await listed(service)).toContain(jiro.memberId), SLOW_MS);
  await expectError(service.memberAt(jiro, server.url).call(getOwnUser, {}), "login_required");
  expect((await service.memberAt(taro, server.url).call(getDms, { friendId: "hanako" })).dms).toHaveLength(2);
  expect(await rowsWith(service.databaseUrl, jiro.memberId)).toEqual([]);
});

test("repeats a restore that was killed in any phase", { tags: "long" }, async () => {
  const { service, hanako, jiro } = await livingService();
  const path = await backUp(service, "backup");
  await jiro.call(deleteAccount, {});
  await eventually(async () => expect(await listed(service)).toContain(jiro.memberId));
  const keys = await backUp(service, "keys", "backup");
  const place = await createRestoreTarget(service);
  const target = await ownService({ beside: { ...service, ...place } });
  await target.ctx.jobs.stop(); // like no running server
  const { deletionsDir } = service.ctx.config;
  const words = ["restore", "--from", path, "--keys", keys, "--deletions", deletionsDir];

  for (const table of ["members", "data_keys", "match_edges", "restorations"]) {
    const held = await hold(target.db, `lock table ${table} in share mode`);
    const command = startOperator(environmentOf(place), ...words);
    const ended = once(command, "close");
    await eventually(async () => {
      const { rows } = await sql`
        select from pg_locks where not granted and relation = ${table}::regclass
          and database = (select oid from pg_database where datname = current_database())`.execute(target.db);
      expect(rows).not.toEqual([]);
    }, SLOW_MS);
    command.kill("SIGKILL");
    await ended;
    await held.release();
    await eventually(async () => {
      const { rows } = await sql`select from pg_locks where relation = ${table}::regclass`.execute(target.db);
      expect(rows).toEqual([]);
    });
    expect(await memberIdsAt(place.databaseUrl)).toEqual([]);
  }

  expect(await operator(environmentOf(place), ...words)).toMatchObject({ code: 0, problems: "" });
  expect(await rowsWith(place.databaseUrl, jiro.memberId)).toEqual([]);
  const { access } = await openSession(target.ctx, hanako.memberId);
  const she = target.memberAt({ ...hanako, access });
  expect((await she.call(getDms, { friendId: "taro" })).dms).toHaveLength(2);
});

test("ignores half a line of a killed process, and reads copies of a file or a folder", async () => {
  const { ctx } = await ownService();
  const { deletionsDir } = ctx.config;
  const file = join(deletionsDir, "deletions.txt");
  await ctx.deletionList.add([4711, -281_474_976_710_656], "2026-11-23");
  await writeFile(file, `${await readFile(file, "utf8")}\n4712 2026-1`);
  await ctx.deletionList.add([4713], "2026-11-24");
  const folder = await temporaryFolder();
  await mkdir(join(folder, "none"));

  const all = new Set([4711, -281_474_976_710_656, 4713]);
  expect((await ctx.deletionList.read())?.keyIds).toEqual(all);
  expect((await readDeletions(file))?.keyIds).toEqual(all);
  expect(await readDeletions(join(folder, "none"))).toBeNull();
  expect(await readDeletions(join(folder, "absent"))).toBeNull();
});

test("keeps the list in the bucket beside pictures", async () => {
  const { ctx } = await ownService();
  const objects = await startObjectStore();
  onTestFinished(() => objects.close());
  const storage = createS3Storage(objects.s3);
  onTestFinished(() => storage.close());
  const list = openDeletionList({ ...ctx.config, s3: objects.s3 }, storage);
  for (const start of ["00", "df"])
    await storage.put(`${start}/${start}000000-0000-4000-8000-000000000000`, Buffer.from("\n1 2026-11-23"));

  expect(await list.read()).toBeNull();
  const id = "00000000-0000-4000-8000-000000000001";
  const since = new Date("2026-11-22T10:00:00Z");
  await list.begin(id, since);
  await list.begin(id, new Date());
  expect(await list.read()).toEqual({ keyIds: new Set(), days: new Map(), begun: new Map([[id, since]]) });
  await list.add([4711, -2_000_000], "2026-11-23");
  await list.add([4712], "2026-11-24");

  expect((await list.read())?.keyIds).toEqual(new Set([4711, -2_000_000, 4712]));
});
