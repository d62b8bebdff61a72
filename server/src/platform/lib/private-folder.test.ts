import { mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createPrivateFolder, openPrivateFolder } from "./private-folder.ts";

async function temporaryFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "alcove-folders-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

test("creates a folder and its parents for their owner alone when several callers create it at once", async () => {
  const path = join(await temporaryFolder(), "a/b/c");

  await Promise.all(Array.from({ length: 20 }, () => createPrivateFolder(path)));
  await createPrivateFolder(path);

  for (const each of [path, join(path, "..")]) expect((await stat(each)).mode & 0o777).toBe(0o700);
});

const onLinux = test.runIf(process.platform === "linux");

onLinux("throws at once where the system cannot create folders", async () => {
  await expect(createPrivateFolder("/proc/nope/below")).rejects.toMatchObject({
    code: "ENOENT",
    path: "/proc/nope",
  });
});

test("names the file that is in the way of a folder", async () => {
  const file = join(await temporaryFolder(), "file");
  await writeFile(file, "");

  await expect(createPrivateFolder(file)).rejects.toMatchObject({ code: "EEXIST", path: file });
  await expect(createPrivateFolder(join(file, "below/it"))).rejects.toMatchObject({
    code: "EEXIST",
    path: file,
  });
});

onLinux("throws when an existing folder cannot be written to", async () => {
  // Read-only even for root.
  const path = "/proc/self";

  await createPrivateFolder(path);

  await expect(openPrivateFolder(path)).rejects.toMatchObject({ path });
});
