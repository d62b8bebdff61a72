import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createPrivateFile, replacePrivateFile } from "./private-file.ts";

async function newPath(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "alcove-file-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  return join(folder, "key.json");
}

test("keeps the first content when a file is created again", async () => {
  const path = await newPath();

  await createPrivateFile(path, "first");
  await createPrivateFile(path, "second");

  expect(await readFile(path, "utf8")).toBe("first");
  expect(await readdir(join(path, ".."))).toEqual(["key.json"]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});

test("replaces a file, readable by its owner only", async () => {
  const path = await newPath();
  await createPrivateFile(path, "first");

  await replacePrivateFile(path, "second");

  expect(await readFile(path, "utf8")).toBe("second");
  expect(await readdir(join(path, ".."))).toEqual(["key.json"]);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
});
