import { cp, readFile, rm, writeFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { buildServer } from "../../../server.ts";
import { CLUSTER } from "../../../testing/cluster-database.ts";
import { withServerParts, createRestoreTarget, temporaryFolder } from "../../../testing/restore-target.ts";
import { act, backUp, backUpKeys, livingService, restore, rowsOf } from "../../../testing/backups.ts";
import { ownService } from "../../../testing/service-for-test.ts";
import { environmentOf, operator } from "../../../testing/operator.ts";
import { fakePayPalForFile } from "../../../testing/paypal.ts";
import { checkBackup } from "./create-backup.ts";
import { restoreFrom } from "./restore-backup.ts";

const shop = await fakePayPalForFile();

test("rejects a damaged backup and leaves database and pictures empty", async () => {
  const { service } = await livingService(shop);
  const place = await createRestoreTarget(service);
  const inFolder = await temporaryFolder();
  const path = await backUp(service, join(inFolder, "whole.tar"));
  const whole = await readFile(path);
  const expectEmpty = async () => {
    expect((await rowsOf(place)).filter((row) => !row.startsWith("public.cell_counts"))).toEqual([]);
    expect(
      await readdir(join(place.dataDir, "media"), { recursive: true }).catch(() => []),
    ).not.toContainEqual(expect.stringMatching(/-/));
  };
  const { ctx, close } = await buildServer({
    config: { ...service.ctx.config, dataDir: place.dataDir },
    databaseUrl: place.databaseUrl,
    log: service.ctx.log,
  });
  onTestFinished(close);
  const keys = await backUpKeys(service);
  const deletions = service.ctx.config.deletionsDir;
  const problemOf = (run: Promise<unknown>) =>
    run.then(
      () => "none",
      (error: Error) => error.message,
    );
  const broken = join(inFolder, "broken.tar");
  const withBytes = async (bytes: Uint8Array) => {
    await writeFile(broken, bytes);
    const problem = await problemOf(restoreFrom(ctx, place.databaseUrl, { from: broken, keys, deletions }));
    expect(await problemOf(checkBackup(ctx, broken))).toBe(problem);
    await expectEmpty();
    return problem;
  };

  for (const part of [0, 0.1, 0.6, 0.97]) {
    const problem = await withBytes(whole.subarray(0, Math.floor(whole.length * part)));
    expect(problem).toMatch(
      /^broken\.tar (cannot be used: it is truncated|is not a backup of this format)\.$/,
    );
  }
  const end = whole.indexOf("end.json");
  expect(await withBytes(Buffer.concat([whole.subarray(0, end), Buffer.alloc(1024)]))).toBe(
    "broken.tar cannot be used: it was changed.",
  );
  const changed = Buffer.from(whole);
  changed[whole.indexOf("media/") + 700]! ^= 1; // a bit of a picture
  expect(await withBytes(changed)).toBe("broken.tar cannot be used: it was changed.");
  expect(await withBytes(Buffer.from("not a backup ".repeat(100)))).toBe(
    "broken.tar cannot be used: it is damaged or not a backup.",
  );
  const absent = join(inFolder, "absent.tar");
  expect(await problemOf(restoreFrom(ctx, place.databaseUrl, { from: absent, keys, deletions }))).toBe(
    `${absent} cannot be read: ENOENT.`,
  );

  await restoreFrom(ctx, place.databaseUrl, { from: path, keys, deletions });
  await expect(restore(service, place, path)).rejects.toThrow("The database is not empty");
}, 120_000);

test(
  "restores a backup only with its keys, with its version and without a running server",
  { tags: "long", timeout: 60_000 },
  async () => {
    const { service } = await livingService(shop);
    const place = await createRestoreTarget(service);
    const keysBefore = await backUpKeys(service);
    service.clock.advance(1_000);
    const path = await backUp(service, `${await temporaryFolder()}/`);
    const keys = await backUpKeys(service);
    const words = ["restore", "--from", path, "--keys", keys];

    const [secrets, masterKeys] = ["secrets/secrets.json", "secrets/encryption-keys.json"] as const;
    for (const name of [secrets, masterKeys]) await rm(join(place.dataDir, name));
    const withoutKeys = await operator(environmentOf(place), ...words);
    expect(withoutKeys).toMatchObject({
      code: 1,
      problems: expect.stringContaining("has no secrets.json and no encryption-keys.json"),
    });
    // The next attempt generates other keys.
    await expect(restore(service, place, path)).rejects.toThrow("needs another pepper");
    await cp(join(service.dataDir, secrets), join(place.dataDir, secrets));
    await expect(restore(service, place, path)).rejects.toThrow("lacks the master key k1");
    await cp(join(service.dataDir, masterKeys), join(place.dataDir, masterKeys));
    await expect(restore(service, place, path, keysBefore)).rejects.toThrow("is older than that of the data");
    await expect(restore(service, place, keys)).rejects.toThrow("is a backup of keys");
    await expect(act(service.ctx, service.databaseUrl, ...words)).rejects.toThrow(
      "A server is running on this database",
    );
    await withServerParts(service, place, async (ctx) => {
      const absent = act(ctx, place.databaseUrl, ...words, "--deletions", join(place.dataDir, "absent"));
      await expect(absent).rejects.toThrow("absent has no list of deletions");
      const insert = sql`insert into kysely_migration values ('0000_another', '2026-01-01')`;
      await insert.execute(ctx.db);
      const restored = act(ctx, place.databaseUrl, ...words);
      await expect(restored).rejects.toThrow("made by an older version (0000_another)");
      await sql`delete from kysely_migration where name = '0000_another'`.execute(ctx.db);
    });
    await restore(service, place, path);
  },
);

test.runIf(CLUSTER.length > 0)(
  "rejects a restore into distributed tables",
  async () => {
    const { service } = await livingService(shop);
    const path = await backUp(service, `${await temporaryFolder()}/`);
    const { dataDir } = await createRestoreTarget(service);
    const distributed = await ownService();
    await distributed.close();

    const restoring = restore(service, { dataDir, databaseUrl: distributed.databaseUrl }, path);

    await expect(restoring).rejects.toThrow("The tables are distributed: restore into a new database");
  },
  60_000,
);
