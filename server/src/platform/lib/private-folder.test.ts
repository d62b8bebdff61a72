import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder, openFolder } from "./private-folder.ts";

async function somewhere(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "alcove-folders-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

test("a folder is made with those above it, for its owner alone, however many ask for it at once", async () => {
  const path = join(await somewhere(), "a/b/c");

  await Promise.all(Array.from({ length: 20 }, () => makeFolder(path)));
  await makeFolder(path);

  for (const each of [path, join(path, "..")]) expect((await stat(each)).mode & 0o777).toBe(0o700);
});

const onLinux = test.runIf(process.platform === "linux");

onLinux("a folder where the system lets nobody make one is refused at once", async () => {
  await expect(makeFolder("/proc/nope/below")).rejects.toMatchObject({ code: "ENOENT", path: "/proc/nope" });
});

test("a file in the way of a folder is named", async () => {
  const file = join(await somewhere(), "file");
  await writeFile(file, "");

  await expect(makeFolder(file)).rejects.toMatchObject({ code: "EEXIST", path: file });
  await expect(makeFolder(join(file, "below/it"))).rejects.toMatchObject({ code: "EEXIST", path: file });
});

onLinux("a folder that is there and cannot be written to is refused when it is opened", async () => {
  // A place that even root may only read.
  const path = "/proc/self";

  await makeFolder(path);

  await expect(openFolder(path)).rejects.toMatchObject({ path });
});
