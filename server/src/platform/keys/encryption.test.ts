import { randomBytes } from "node:crypto";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { DAY_MS } from "../clock.ts";
import { testService, type TestService } from "../../testing/test-service.ts";
import { DecryptionError } from "./cipher.ts";
import { DataKeys, KeyDestroyedError } from "./data-keys.ts";
import { createBlindIndex, Encryption, keyIdOf } from "./encryption.ts";
import { MasterKeys } from "./master-keys.ts";
import { readEncryptionKeys } from "./secrets.ts";

const CONTEXT = "members.encrypted_email:1";

let service: TestService;
beforeAll(async () => {
  service = await testService();
});

/** Another process of the same deployment. */
async function another({ ctx }: TestService): Promise<Encryption> {
  const blindIndex = createBlindIndex(ctx.secrets.pepper);
  const masterKeys = await MasterKeys.open({
    db: ctx.db,
    clock: ctx.clock,
    log: ctx.log,
    readKeys: () => readEncryptionKeys(ctx.config),
    place: "",
    proof: blindIndex("", "master keys"),
  });
  onTestFinished(() => masterKeys.close());
  return new Encryption(new DataKeys(ctx.db, ctx.clock, masterKeys, ctx.jobs), blindIndex);
}

async function storedKey({ ctx }: TestService): Promise<number> {
  const keyId = ctx.encryption.keys.create();
  await ctx.encryption.keys.store(ctx.db, keyId);
  return keyId;
}

test("decrypts in every process what one encrypted, and shows nothing of its content", async () => {
  const { encryption } = service.ctx;
  const keyId = await storedKey(service);
  const text = "hanako@example.com 花子 🌸";

  const encrypted = await encryption.encrypt(keyId, text, CONTEXT);

  expect(await encryption.decrypt(encrypted, CONTEXT)).toBe(text);
  expect(await (await another(service)).decrypt(encrypted, CONTEXT)).toBe(text);
  expect(keyIdOf(encrypted)).toBe(keyId);
  expect(encrypted.toString("latin1")).not.toContain("hanako");
  expect(await encryption.encrypt(keyId, "same", "a")).not.toEqual(
    await encryption.encrypt(keyId, "same", "a"),
  );
});

test("throws when an encrypted value was moved to another row or changed in one bit", async () => {
  const { encryption } = service.ctx;
  const encrypted = await encryption.encrypt(await storedKey(service), "text", CONTEXT, 32);

  await expect(encryption.decrypt(encrypted, "members.encrypted_email:2")).rejects.toThrow(DecryptionError);
  for (let at = 0; at < encrypted.length; at++) {
    const changed = Buffer.from(encrypted);
    changed[at] = changed[at]! ^ 1;
    await expect(encryption.decrypt(changed, CONTEXT)).rejects.toThrow();
  }
  for (const length of [0, 8, 9, 20, encrypted.length - 1])
    await expect(encryption.decrypt(encrypted.subarray(0, length), CONTEXT)).rejects.toThrow(DecryptionError);
});

test.each([
  [0, 256],
  [1, 256],
  [255, 256],
  [256, 512],
  [2_000, 2_048],
])("stores a text of %i bytes in %i bytes", async (length, padded) => {
  const { encryption } = service.ctx;
  const keyId = await storedKey(service);
  const text = "a".repeat(length);
  const overhead = 9 + 12 + 16;

  const encrypted = await encryption.encrypt(keyId, text, CONTEXT);

  expect(encrypted).toHaveLength(padded + overhead);
  expect(await encryption.decrypt(encrypted, CONTEXT)).toBe(text);
});

test("keeps zeros and marks at the end of a picture", async () => {
  const { encryption } = service.ctx;
  const keyId = await storedKey(service);
  for (const end of [[0], [0x80], [0x80, 0, 0], []]) {
    const bytes = Buffer.concat([randomBytes(100), Buffer.from(end)]);
    const encrypted = await encryption.encryptBytes(keyId, bytes, CONTEXT, 64);
    expect(await encryption.decryptBytes(encrypted, CONTEXT)).toEqual(bytes);
  }
});

test("reads nothing after the key was destroyed", async () => {
  const { encryption, db } = service.ctx;
  const keyId = await storedKey(service);
  const encrypted = await encryption.encrypt(keyId, "text", CONTEXT);

  await encryption.keys.destroy(db, [keyId]);

  await expect((await another(service)).decrypt(encrypted, CONTEXT)).rejects.toThrow(KeyDestroyedError);
  encryption.keys.forget(keyId);
  await expect(encryption.decrypt(encrypted, CONTEXT)).rejects.toThrow(KeyDestroyedError);
});

test("shares one key a day among all processes and destroys it after some days", async () => {
  const own = await testService();
  const processes = await Promise.all(Array.from({ length: 8 }, () => another(own)));
  const ids = await Promise.all(processes.map((process) => process.keys.daily()));
  expect(new Set(ids).size).toBe(1);
  const encrypted = await processes[0]!.encrypt(ids[0]!, "text", CONTEXT);
  expect(await Promise.all(processes.map((process) => process.decrypt(encrypted, CONTEXT)))).toEqual(
    processes.map(() => "text"),
  );

  own.clock.advance(2 * DAY_MS);
  await own.ctx.encryption.keys.destroyOldDailyKeys();
  expect(await (await another(own)).decrypt(encrypted, CONTEXT)).toBe("text");
  expect(await own.ctx.encryption.keys.daily()).toBe(ids[0]! + 2);

  own.clock.advance(DAY_MS);
  await own.ctx.encryption.keys.destroyOldDailyKeys();
  await expect((await another(own)).decrypt(encrypted, CONTEXT)).rejects.toThrow(KeyDestroyedError);
});

test("returns one blind index per value, purpose and secret", () => {
  const blindIndex = createBlindIndex("index secret");

  expect(blindIndex("a@b.example", "email")).toEqual(
    createBlindIndex("index secret")("a@b.example", "email"),
  );
  expect(blindIndex("a@b.example", "code")).not.toEqual(blindIndex("a@b.example", "email"));
  expect(createBlindIndex("other")("a@b.example", "email")).not.toEqual(blindIndex("a@b.example", "email"));
});
