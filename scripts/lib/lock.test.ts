import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { setImmediate as nextTick } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { withLock } from "./lock.js";

const HOLDER = `
  import { withLock } from ${JSON.stringify(new URL("lock.js", import.meta.url).href)};
  await withLock(process.argv[1], () => new Promise(() => {
    console.log("locked");
    setInterval(() => {}, 1000);
  }));`;

test("runs work of one name one after the other", async () => {
  const name = randomUUID();
  let running = 0;
  let most = 0;
  async function work(): Promise<void> {
    running += 1;
    most = Math.max(most, running);
    for (let tick = 0; tick < 20; tick++) await nextTick();
    running -= 1;
  }

  await Promise.all([withLock(name, work), withLock(name, work)]);

  expect(most).toBe(1);
});

test("waits for another process, and continues when that process is killed", async () => {
  const name = randomUUID();
  const holder = spawn(process.execPath, ["--input-type=module", "--eval", HOLDER, name]);
  await once(holder.stdout, "data");
  // It reports that it waits.
  const log = vi.spyOn(console, "log").mockImplementation(() => void holder.kill("SIGKILL"));
  onTestFinished(() => log.mockRestore());

  expect(await withLock(name, async () => "continued")).toBe("continued");

  expect(log).toHaveBeenCalledOnce();
});

test("releases the lock when the work fails", async () => {
  const name = randomUUID();
  await expect(withLock(name, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");

  expect(await withLock(name, async () => "done")).toBe("done");
});
