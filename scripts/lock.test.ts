import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { whileAlone } from "./lock.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "alcove-lock-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

test("work of one name is done one at a time", async () => {
  let busy = 0;
  let most = 0;
  async function work(): Promise<void> {
    busy += 1;
    most = Math.max(most, busy);
    for (let turn = 0; turn < 20; turn++) await nextTurn();
    busy -= 1;
  }

  await Promise.all([whileAlone("build", work, folder), whileAlone("build", work, folder)]);

  expect(most).toBe(1);
});

test("the lock of a process that was killed is taken over", async () => {
  writeFileSync(join(folder, "build.lock"), "99999999 1");

  expect(await whileAlone("build", async () => "done", folder)).toBe("done");
});

test("work that fails leaves no lock behind", async () => {
  await expect(whileAlone("build", () => Promise.reject(new Error("broken")), folder)).rejects.toThrow(
    "broken",
  );

  expect(await whileAlone("build", async () => "done", folder)).toBe("done");
});
