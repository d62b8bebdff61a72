import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";

const LOG = JSON.stringify(new URL("log.ts", import.meta.url).href);

/** Runs code in a process that opens the log. */
function program(work: string) {
  const source = `const { openLog } = await import(${LOG}); const log = openLog("info"); ${work}`;
  return spawn(process.execPath, ["--input-type=module", "--eval", source], {
    stdio: ["pipe", "pipe", "inherit"],
  });
}

test("writes all lines in order, also the last ones of a process", async () => {
  const child = program(`for (let n = 0; n < 5_000; n++) log.info({ n }, "a line"); process.exit();`);

  const lines = (await text(child.stdout)).trim().split("\n");

  expect(lines.map((line) => (JSON.parse(line) as { n: number }).n)).toEqual(
    Array.from({ length: 5_000 }, (_, n) => n),
  );
});

test("lets a process end when the reader of its log is gone", async () => {
  const child = program(
    `log.info("first"); process.stdin.once("end", () => { log.info("last"); log.info("very last"); process.exit(7); }).resume();`,
  );
  await once(child.stdout, "data");
  child.stdout.destroy();
  const ended = once(child, "exit");
  const timer = setTimeout(() => child.kill("SIGKILL"), 8_000);

  child.stdin.end();
  const [code] = await ended;
  clearTimeout(timer);

  expect(code).toBe(7);
});
