import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type ObjectStore, startObjectStore } from "@alcove/test-services/s3";
import { type FileStorage, createFolderStorage } from "./file-storage.ts";
import { createS3Storage } from "./s3.ts";

let objects: ObjectStore;
let folder: string;
beforeAll(async () => {
  objects = await startObjectStore();
  folder = await mkdtemp(join(tmpdir(), "alcove-folder-"));
});
afterAll(async () => {
  await objects.close();
  await rm(folder, { recursive: true, force: true });
});

const keyOf = (i: number) => `0${i % 4}/0${i % 4}000000-0000-4000-8000-${String(i).padStart(12, "0")}`;
const bytes = Buffer.from([0, 255, 1, 254, 10, 13]);

describe.each([
  ["a folder", () => createFolderStorage(join(folder, "media"))],
  ["a bucket", () => createS3Storage(objects.s3)],
])("%s", (_, open: () => FileStorage) => {
  let store: FileStorage;
  beforeEach(async () => {
    store = open();
    for (const { key } of await store.list(null, 1_000)) await store.remove(key);
    onTestFinished(() => store.close());
  });

  test("returns stored bytes, and null for an unknown key", async () => {
    const large = Buffer.alloc(3_000_000, "abcde");
    await store.put(keyOf(1), bytes);
    await store.put(keyOf(2), large);

    expect(await store.get(keyOf(1))).toEqual(bytes);
    expect((await store.get(keyOf(2)))!.equals(large)).toBe(true);
    expect(await store.get(keyOf(3))).toBeNull();
  });

  test("removes a file, also twice", async () => {
    await store.put(keyOf(1), bytes);

    await store.remove(keyOf(1));
    await store.remove(keyOf(1));

    expect(await store.get(keyOf(1))).toBeNull();
    expect(await store.list(null, 10)).toEqual([]);
  });

  test("lists files in pages by rising key with their time", async () => {
    const keys = Array.from({ length: 23 }, (_, i) => keyOf(i));
    for (const key of keys) await store.put(key, bytes);
    const found: string[] = [];

    for (let after: string | null = null; ;) {
      const page = await store.list(after, 5);
      found.push(...page.map(({ key }) => key));
      for (const { writtenAt } of page)
        expect(Math.abs(writtenAt.getTime() - Date.now())).toBeLessThan(60_000);
      if (page.length < 5) break;
      after = page.at(-1)!.key;
    }

    expect(found).toEqual(keys.toSorted());
  });

  test.each(["../secrets.json", "/etc/passwd", "ab/../../x", "ab\\x", "", ".", "ab/x\0", "AB/X", "ab//x"])(
    "touches nothing under the name %j",
    async (key) => {
      await expect(store.put(key, bytes)).rejects.toThrow("invalid media key");
      await expect(store.get(key)).rejects.toThrow("invalid media key");
      await expect(store.remove(key)).rejects.toThrow("invalid media key");
      expect((await readdir(folder)).toSorted()).toEqual(expect.not.arrayContaining(["secrets.json"]));
    },
  );

  test("keeps the later bytes when a key is written twice", async () => {
    await store.put(keyOf(1), Buffer.alloc(1_000_000, "a"));
    await store.put(keyOf(1), bytes);

    expect(await store.get(keyOf(1))).toEqual(bytes);
  });
});

test("lists and removes a file that a crash left incomplete", async () => {
  const place = join(folder, "crashed");
  await mkdir(join(place, "ab"), { recursive: true });
  await writeFile(join(place, "ab/ab-1.draft"), "half of it");
  await writeFile(join(place, "a file beside the folders"), "");
  await utimes(join(place, "ab/ab-1.draft"), new Date(0), new Date(0));
  const store = createFolderStorage(place);

  expect(await store.list(null, 10)).toEqual([{ key: "ab/ab-1", writtenAt: new Date(0) }]);
  await store.remove("ab/ab-1");
  expect(await readdir(join(place, "ab"))).toEqual([]);
});

test("is empty when its folder does not exist yet", async () => {
  expect(await createFolderStorage(join(folder, "not yet")).list(null, 10)).toEqual([]);
});

test("throws in time when the bucket does not respond", async () => {
  const hasty = createS3Storage(objects.s3, { connectMs: 200, responseMs: 200, totalMs: 1_000 });
  // Its open connection breaks below. A busy machine may take longer than the limits of the other.
  const patient = createS3Storage(objects.s3);
  onTestFinished(() => [hasty, patient].forEach((store) => store.close()));
  await patient.put(keyOf(1), bytes);

  objects.pause();
  await expect(hasty.get(keyOf(1))).rejects.toThrow();
  await expect(hasty.put(keyOf(2), bytes)).rejects.toThrow();
  objects.resume();
  expect(await patient.get(keyOf(1))).toEqual(bytes);

  await objects.kill();
  await expect(hasty.get(keyOf(1))).rejects.toThrow();
  await expect(hasty.list(null, 1)).rejects.toThrow();
  await objects.restart();
  expect(await patient.get(keyOf(1))).toEqual(bytes);
});

test("throws when the access key is wrong or the bucket does not exist", async () => {
  const unauthorized = createS3Storage({ ...objects.s3, accessKeyId: "wrong" });
  const nowhere = createS3Storage({ ...objects.s3, bucket: "nowhere" });
  onTestFinished(() => [unauthorized, nowhere].forEach((store) => store.close()));

  await expect(unauthorized.get(keyOf(1))).rejects.toThrow();
  await expect(nowhere.put(keyOf(1), bytes)).rejects.toThrow();
  await expect(nowhere.get(keyOf(1))).rejects.toThrow();
  await expect(nowhere.list(null, 1)).rejects.toThrow();
});
