import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { stat, readdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { deleteAccount, getOwnUser, logIn } from "@alcove/contract/accounts";
import { getDms, sendDm } from "@alcove/contract/messaging";
import { getOrders } from "@alcove/contract/membership";
import { getBrokerageFee, transferBrokerage } from "@alcove/contract/referral";
import { saveNotifications } from "@alcove/contract/notifications";
import { blockUser, reportUser } from "@alcove/contract/safety";
import { readOperatorActions } from "../../../accounts/index.ts";
import { readOpenReports, readReportPicture } from "../../../testing/cases.ts";
import { takeBackupLock } from "../../../platform/db/backup-lock.ts";
import { connectAlone } from "../../../platform/db/database.ts";
import { withServerParts, createRestoreTarget, temporaryFolder } from "../../../testing/restore-target.ts";
import {
  act,
  backUp,
  livingService,
  memberWithAll,
  PASSWORD,
  picture,
  restore,
  rowsOf,
  startedAt,
} from "../../../testing/backups.ts";
import { ownService } from "../../../testing/service-for-test.ts";
import { environmentOf, operator, startOperator } from "../../../testing/operator.ts";
import { buy, order, fakePayPalForFile } from "../../../testing/paypal.ts";
import { fileOf } from "../../../testing/sample-pictures.ts";
import { eventually, expectError, type TestMember, type TestService } from "../../../testing/test-service.ts";
import { checkBackup } from "./create-backup.ts";

const shop = await fakePayPalForFile();
const { paypal, config } = shop;
async function logInAt(service: TestService, userId: string): Promise<TestMember> {
  const tokens = await service.call(logIn, { user_id: userId, password: PASSWORD });
  return service.memberAt({ user_id: userId, memberId: 0, ...tokens } as TestMember);
}

const bytesAt = async (service: TestService, path: string) => {
  const response = await service.fetch(path);
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
};

test("restores every row and picture of a backup, and every member can log in", async () => {
  const { service, hanako } = await livingService(shop);
  const place = await createRestoreTarget(service);
  const icon = await bytesAt(service, (await hanako.call(getOwnUser, {})).user.icon);
  await service.ctx.jobs.stop();
  const to = ["--to", `${await temporaryFolder()}/`, "--reason", "nightly"];
  const made = await operator(environmentOf(service), "backup", ...to, "--json");
  expect(made).toMatchObject({ code: 0, problems: "" });
  const { path } = JSON.parse(made.out) as { path: string };
  expect(made.out).toContain("Without the keys all data is lost.");
  const madeKeys = await operator(environmentOf(service), "keys", "backup", ...to, "--json");
  const { path: keys } = JSON.parse(madeKeys.out) as { path: string };

  const restored = await operator(environmentOf(place), "restore", "--from", path, "--keys", keys);
  expect(restored).toMatchObject({ code: 0, problems: "" });
  expect(restored.out).toContain("members: 2\n");
  expect(await rowsOf(place)).toEqual(await rowsOf(service));
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(path).toMatch(/backup-\d{8}T\d{6}Z\.tar$/);
  const again = await startedAt(service, place, config);
  await expectError(again.memberAt(hanako, again.url).call(getOwnUser, {}), "login_required");
  const she = await logInAt(again, "hanako");
  const he = await logInAt(again, "taro");
  const { user } = await she.call(getOwnUser, {});
  expect(user).toMatchObject({ email: "hanako@example.com", username: "hanako 花子", status: "paid" });
  expect(await bytesAt(again, user.icon)).toEqual(icon);
  const { dms } = await he.call(getDms, { friendId: "hanako" });
  expect(dms.map(({ description }) => description)).toEqual(["Good evening\\ 今晩は\n\t🌙", null]);
  expect((await bytesAt(again, dms[1]!.file!)).length).toBeGreaterThan(100);
  await he.call(sendDm, { receiverId: "hanako", description: "I am here again" });
  const newcomer = await again.member("newcomer");
  expect(newcomer.memberId).toBeGreaterThan(1_000_000);
  expect(await readOperatorActions(again.ctx, null)).toMatchObject([
    { action: "restore", reason: null },
    { action: "backup", reason: "nightly" },
  ]);
}, 60_000);

test(
  "backs up one snapshot while members write, send pictures and are deleted",
  { tags: "long", timeout: 90_000 },
  async () => {
    const { service, hanako, taro } = await livingService(shop);
    const place = await createRestoreTarget(service);
    const leavers = await Promise.all(
      [...Array(8).keys()].map((index) => memberWithAll(service, `leaver${index}`, "male")),
    );
    const over = new AbortController();
    let written = 0;
    const writing = (async () => {
      for (let count = 0; !over.signal.aborted; count++) {
        const file = count % 3 === 0 ? fileOf(picture) : undefined;
        await hanako.call(sendDm, {
          receiverId: "taro",
          description: `evening ${count}`,
          ...(file && { file }),
        });
        written++;
        if (count % 5 === 0) await leavers.pop()?.call(deleteAccount, {});
      }
    })();

    await eventually(() => expect(written).toBeGreaterThan(10), 20_000);
    const path = await backUp(service, join(await temporaryFolder(), "evening.tar"));
    over.abort();
    await writing;
    await restore(service, place, path);

    const again = await startedAt(service, place, config);
    const { rows: broken } = await sql`
    select from conversations c where last_message_id is distinct from
      (select m.message_id from messages m where m.pair = c.pair order by m.message_id desc limit 1)`.execute(
      again.db,
    );
    expect(broken).toEqual([]);
    const media = await again.db
      .selectFrom("media_files")
      .select("media_id")
      .where("claimed", "=", true)
      .execute();
    for (const { media_id: id } of media)
      expect(await again.ctx.fileStorage.get(`${id.slice(0, 2)}/${id}`)).not.toBeNull();
    expect(media.length).toBeGreaterThan(3);
    const kept = await (await logInAt(again, "taro")).call(getDms, { friendId: "hanako" });
    const all = await taro.call(getDms, { friendId: "hanako" });
    expect(kept.dms.length).toBeGreaterThan(12);
    const texts = kept.dms.map(({ description }) => description);
    expect(all.dms.map(({ description }) => description).join()).toContain(texts.slice(-1).join());
  },
);

test("postpones the deletion of pictures until a backup has finished", { tags: "long" }, async () => {
  const { service, hanako } = await livingService(shop);
  const keys = async () => (await service.ctx.fileStorage.list(null, 100)).map(({ key }) => key);
  const before = await keys();
  const { client, close } = await connectAlone(service.databaseUrl);
  expect(await takeBackupLock(client)).toBe(true);
  await expect(backUp(service, `${await temporaryFolder()}/`)).rejects.toThrow("Another backup is running.");

  await hanako.call(deleteAccount, {});
  await eventually(async () => {
    const { rows } = await sql`
      select from graphile_worker.jobs
      where task_identifier = 'delete_media_files' and run_at > now()`.execute(service.db);
    expect(rows).toHaveLength(1);
  });
  // The deletion also copies a picture, for a later report.
  expect(await keys()).toEqual(expect.arrayContaining(before));
  await close();
  await sql`select graphile_worker.reschedule_jobs(array_agg(id), run_at := now())
    from graphile_worker.jobs`.execute(service.db);

  await eventually(async () => expect(await keys()).not.toEqual(expect.arrayContaining(before)));
});

test("copies jobs from the worker's private tables, because its view has no payload", async () => {
  const { db } = await ownService();
  const { rows } = await sql<{ name: string; columns: string }>`
    select table_name::text as name, string_agg(column_name::text, ' ' order by column_name) as columns
    from information_schema.columns
    where table_schema = 'graphile_worker' and table_name in ('jobs', '_private_jobs', '_private_tasks')
    group by table_name`.execute(db);
  const columnsOf = (table: string) => rows.find(({ name }) => name === table)?.columns.split(" ");

  expect(columnsOf("jobs")).not.toContain("payload");
  // A new column may be one that a backup has to copy.
  expect(columnsOf("_private_jobs")?.join(" ")).toBe(
    "attempts created_at flags id is_available job_queue_id key last_error locked_at locked_by max_attempts " +
      "payload priority revision run_at task_id updated_at",
  );
  expect(columnsOf("_private_tasks")).toEqual(["id", "identifier"]);
});

test(
  "sends no old emails or notifications after a restore, and completes pending deletions",
  { tags: "long" },
  async () => {
    const { service, hanako, taro } = await livingService(shop);
    const place = await createRestoreTarget(service);
    const choices = { quiet_hours: false, quiet_from: "22:00", quiet_to: "07:00" };
    await taro.call(saveNotifications, { push: false, digest: true, ...choices });
    await hanako.call(sendDm, { receiverId: "taro", description: "Are you there?" });
    const { notices, none } = {
      notices: service.db.selectFrom("notification_preferences").select("digest_due_at"),
      none: null,
    };
    await eventually(async () => expect((await notices.executeTakeFirst())?.digest_due_at).not.toBe(none));
    await service.ctx.jobs.stop();
    await service.db.transaction().execute(async (tx) => {
      await service.ctx.jobs.add(tx, "digest_email", { emailId: randomUUID(), memberId: taro.memberId });
      await service.ctx.jobs.add(tx, "password_changed_email", {
        emailId: randomUUID(),
        memberId: taro.memberId,
      });
      await service.ctx.jobs.add(tx, "delete_verdicts_about", { memberId: 4711 }, { key: "delete 4711" });
    });
    const path = await backUp(service, `${await temporaryFolder()}/`);

    await restore(service, place, path);

    const { db, close } = await connectAlone(place.databaseUrl);
    const { rows: jobs } = await sql`
    select t.identifier, j.payload, j.key from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id`.execute(db);
    expect(jobs).toEqual([
      { identifier: "delete_verdicts_about", payload: { memberId: 4711 }, key: "delete 4711" },
    ]);
    const due = await db
      .selectFrom("notification_preferences")
      .select(["digest_due_at", "push_due_at"])
      .execute();
    expect(due).toEqual([{ digest_due_at: null, push_due_at: null }]);
    expect(await db.selectFrom("notification_outbox").selectAll().execute()).toEqual([]);
    await close();
  },
);

test(
  "restores hidden conversations and the evidence of reports, with their pictures",
  { tags: "long", timeout: 60_000 },
  async () => {
    const { service, hanako, taro } = await livingService(shop);
    const place = await createRestoreTarget(service);
    const input = { receiverId: "taro", description: "Look at me.", file: fileOf(picture) };
    const { dm } = await hanako.call(sendDm, input);
    await taro.call(reportUser, { userId: "hanako", reason: "spam", dmId: dm.id });
    await hanako.call(blockUser, { userId: "taro" });
    const path = await backUp(service, `${await temporaryFolder()}/`);

    await restore(service, place, path);

    const again = await startedAt(service, place, config);
    const he = await logInAt(again, "taro");
    await he.call(reportUser, { userId: "hanako", reason: "harassment", dmId: dm.id });
    const reports = await readOpenReports(again.ctx);
    expect(reports.map(({ message }) => message?.text)).toEqual(["Look at me.", "Look at me."]);
    for (const one of reports) expect((await readReportPicture(again.ctx, one))?.length).toBeGreaterThan(100);
  },
);

test("pauses payments after a restore until the operator resumes them", async () => {
  const { service, hanako } = await livingService(shop);
  const place = await createRestoreTarget(service);
  const path = await backUp(service, `${await temporaryFolder()}/`);
  await restore(service, place, path);

  const resting = await startedAt(service, place, config);
  const she = await logInAt(resting, "hanako");
  await expectError(order(she), "payments_off");
  expect((await she.call(getOrders, {})).orders).toHaveLength(1);
  await resting.close();
  const [shown, released] = await withServerParts(service, place, async (ctx) => [
    await act(ctx, place.databaseUrl, "payments", "show"),
    await act(ctx, place.databaseUrl, "payments", "release", "--reason", "compared"),
  ]);
  const going = await startedAt(service, place, config);
  await buy(paypal, await logInAt(going, "hanako"));

  expect(shown).toMatchObject({ payments: "paused" });
  expect(released).toEqual({ payments: "running" });
  await expect(act(going.ctx, place.databaseUrl, "payments", "release")).rejects.toThrow("are not paused");
  expect((await hanako.call(getOrders, {})).orders).toHaveLength(1);
}, 60_000);

test(
  "imports payouts since the backup while payments are paused, and pays none twice",
  { tags: "long", timeout: 60_000 },
  async () => {
    const { service, hanako } = await livingService(shop);
    const invited = await service.member("jiro", { at: null, invitedBy: hanako.memberId });
    await buy(paypal, invited, { year: 1 });
    const place = await createRestoreTarget(service);
    const path = await backUp(service, `${await temporaryFolder()}/`);
    await hanako.call(transferBrokerage, { email: "payee@example.com", price: 16 });
    const paid = await service.db.selectFrom("transfers").selectAll().executeTakeFirstOrThrow();
    await restore(service, place, path);

    const words = `payouts import hanako --amount 16.00 --currency USD --batch ${paid.payout_batch_id!}`;
    const recorded = await withServerParts(service, place, async (ctx) => {
      const facts = await act(ctx, place.databaseUrl, ...words.split(" "));
      await act(ctx, place.databaseUrl, "payments", "release");
      return facts;
    });
    const going = await startedAt(service, place, config);
    const she = await logInAt(going, "hanako");

    expect(recorded).toMatchObject({ id: paid.transfer_id, state: "paid", available: "0.00 USD" });
    expect(await she.call(getBrokerageFee, {})).toMatchObject({ available: 0, received: 16 });
    const again = she.call(transferBrokerage, { email: "payee@example.com", price: 16 });
    await expectError(again, "transfer_differs");
  },
);

test(
  "leaves no complete file after an interruption, uses little memory and replaces no file",
  { tags: "long", timeout: 120_000 },
  async () => {
    const { service } = await livingService(shop);
    await fillTable(service, 200_000);
    const place = await createRestoreTarget(service);
    const inFolder = await temporaryFolder();
    const path = join(inFolder, "night.tar");

    const child = startOperator(environmentOf(service), "backup", "--to", path);
    await eventually(async () => expect((await stat(`${path}.unfinished`)).size).toBeGreaterThan(0), 20_000);
    child.kill("SIGKILL");
    await once(child, "close");
    expect(await readdir(inFolder)).toEqual(["night.tar.unfinished"]);
    await expect(checkBackup(service.ctx, `${path}.unfinished`)).rejects.toThrow("cannot be used");
    const small = { NODE_OPTIONS: "--max-old-space-size=96" };
    const made = await operator({ ...environmentOf(service), ...small }, "backup", "--to", path);
    const size = (await stat(path)).size;
    await expect(backUp(service, path)).rejects.toThrow(`${path} already exists.`);

    expect(await readdir(inFolder)).toEqual(["night.tar"]);
    expect((await stat(path)).size).toBe(size);
    expect(made).toMatchObject({ code: 0, problems: "" });
    const keys = join(inFolder, "keys.tar");
    await operator(environmentOf(service), "keys", "backup", "--to", keys);
    const words = ["restore", "--from", path, "--keys", keys];
    const restored = await operator({ ...environmentOf(place), ...small }, ...words);
    expect(restored).toMatchObject({ code: 0, problems: "" });
    expect(await countEvents(place.databaseUrl)).toBe(200_000);
  },
);

/** Rows of some size that belong to nobody. */
async function fillTable({ db }: TestService, count: number): Promise<void> {
  await sql`
    insert into webhook_events (event_id, at)
    select 'WH-' || repeat(md5(i::text), 3) || i, now() from generate_series(1, ${count}::int) i`.execute(db);
}

async function countEvents(url: string): Promise<number> {
  const { client, close } = await connectAlone(url);
  const { rows } = await client.query<{ count: number }>("select count(*) from webhook_events");
  await close();
  return rows[0]!.count;
}
