import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { buildServer } from "../../server.ts";
import { eventually, testService, type TestService } from "../../testing/test-service.ts";
import { activate } from "./master-keys.sql.ts";
import { readEncryptionKeys, replaceEncryptionKeys } from "./secrets.ts";

const newKey = (id: string) => ({ id, key: randomBytes(32) });

/** Adds a master key to file and database. */
async function addKey({ ctx }: TestService, id: string): Promise<void> {
  const added = newKey(id);
  await replaceEncryptionKeys(ctx.config, [...(await readEncryptionKeys(ctx.config)), added]);
  await ctx.masterKeys.add(added);
}

async function masterKeyOf({ db }: TestService, keyId: number): Promise<string> {
  const query = db.selectFrom("data_keys").select("master_key").where("key_id", "=", keyId);
  return (await query.executeTakeFirstOrThrow()).master_key;
}

async function storedKey({ ctx }: TestService): Promise<number> {
  const keyId = ctx.encryption.keys.create();
  await ctx.encryption.keys.store(ctx.db, keyId);
  return keyId;
}

test("does not start without the keys and the pepper of its database", async () => {
  const service = await testService();
  await storedKey(service);
  const { config, log } = service.ctx;
  const [own] = await readEncryptionKeys(config);
  const startError = (changes: Partial<typeof config>) =>
    buildServer({ config: { ...config, ...changes }, databaseUrl: service.databaseUrl, log }).then(
      () => "none",
      (error: Error) => `${error.name}: ${error.message}`,
    );

  expect(await startError({ encryptionKeys: [newKey("k7")] })).toBe(
    "ConfigError: SEALING_KEYS lacks the master key k1 of this database: put it back, because nothing else can read the data.",
  );
  expect(await startError({ encryptionKeys: [newKey("k1")] })).toBe(
    "ConfigError: SEALING_KEYS has another master key k1 than this database: put the right one back, because nothing else can read the data.",
  );
  await replaceEncryptionKeys(config, [newKey("k1")]);
  expect(await startError({})).toMatch(
    /^ConfigError: DATA_DIR: \S+encryption-keys\.json has another master key k1 /,
  );
  expect(await startError({ encryptionKeys: [own!], passwordPepper: "another pepper than before" })).toMatch(
    /^ConfigError: PASSWORD_PEPPER, or the pepper in secrets\.json, is another one/,
  );
  await replaceEncryptionKeys(config, [own!]);
  expect(await service.db.selectFrom("master_keys").select(["key_id", "state"]).execute()).toEqual([
    { key_id: "k1", state: "active" },
  ]);
});

test("stores no key under a replaced master key, even if a process did not notice the change", async () => {
  const service = await testService();
  const { ctx, db } = service;
  await addKey(service, "k2");
  const before = ctx.encryption.keys.create();
  let activated = "waiting";
  let activating: Promise<void> | undefined;

  await db.transaction().execute(async (tx) => {
    await ctx.encryption.keys.store(tx, before);
    activating = activate(db, "k2", "2026-01-01").then(() => void (activated = "done"));
    await eventually(async () => {
      const query = ctx.db.selectFrom("master_keys").select("state").forNoKeyUpdate().skipLocked();
      expect((await query.execute()).map(({ state }) => state)).not.toContain("active");
    });
    expect(activated).toBe("waiting");
  });
  await activating;
  const after = await Promise.all(Array.from({ length: 8 }, () => storedKey(service)));

  expect(await masterKeyOf(service, before)).toBe("k1");
  for (const keyId of after) expect(await masterKeyOf(service, keyId)).toBe("k2");
});

test("records every process with its master keys while it runs", async () => {
  const service = await testService();
  const other = await testService({ beside: service });
  const processes = () =>
    service.db.selectFrom("server_processes").select(["key_ids", "active_key"]).execute();

  await addKey(service, "k2");

  await eventually(async () => {
    const both = { key_ids: ["k1", "k2"], active_key: "k1" };
    expect(await processes()).toEqual([both, both]);
  }, 10_000);
  await other.close();
  expect(await processes()).toHaveLength(1);
});
