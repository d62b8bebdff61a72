import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { table } from "./stats.ts";

/**
 * Measures the time from a fresh clone of the last commit to the first page, and of later starts. Packages come from npm's
 * cache if it has them. Run: `npm run start -w bench`.
 */

const WARM_STARTS = 5;
const LONGEST_MS = 15 * 60_000;
const PAGE = "/en/login";

/** Milliseconds since the start. */
interface Start {
  readonly installingAt: number | null;
  readonly buildingAt: number | null;
  readonly readyAt: number;
  readonly pageAt: number;
  readonly stoppedAfter: number;
}

async function startIn(folder: string): Promise<Start> {
  const start = performance.now();
  const seen = new Map<string, number>();
  const child = spawn("npm", ["start"], {
    cwd: folder,
    env: { ...process.env, PORT: "0", DATA_DIR: join(folder, "data"), LOG_LEVEL: "warn" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit");
  const timer = setTimeout(() => child.kill(), LONGEST_MS);
  let output = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      for (const phrase of ["installing packages", "building the web app", "is ready at"]) {
        if (output.includes(phrase) && !seen.has(phrase)) seen.set(phrase, performance.now() - start);
      }
      const [, readyUrl] = / is ready at (\S+)\n/.exec(output) ?? [];
      if (readyUrl) resolve(readyUrl);
    });
    void ended.then(() => reject(new Error("npm start ended before it was ready")));
  });

  const page = await fetch(new URL(PAGE, url));
  if (!page.ok || !(await page.text()).includes("<form")) throw new Error(`${PAGE} is not there`);
  const pageAt = performance.now() - start;
  const stopping = performance.now();
  child.kill("SIGTERM");
  const [code] = (await ended) as [number | null];
  clearTimeout(timer);
  if (code !== 0) throw new Error(`npm start ended with ${code}`);
  return {
    installingAt: seen.get("installing packages") ?? null,
    buildingAt: seen.get("building the web app") ?? null,
    readyAt: seen.get("is ready at")!,
    pageAt,
    stoppedAfter: performance.now() - stopping,
  };
}

const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
const root = join(import.meta.dirname, "../..");
const folder = await mkdtemp(join(tmpdir(), "alcove-first-start-"));
try {
  const clone = join(folder, "alcove");
  const start = performance.now();
  execFileSync("git", ["clone", "--quiet", root, clone]);
  const cloned = performance.now() - start;
  const first = await startIn(clone);
  if (first.installingAt === null || first.buildingAt === null) throw new Error("the clone was not fresh");

  const warm: Start[] = [];
  for (let i = 0; i < WARM_STARTS; i++) warm.push(await startIn(clone));
  const times = warm.map(({ pageAt }) => pageAt).toSorted((a, b) => a - b);

  console.log(`${availableParallelism()} cores, Node ${process.versions.node}`);
  console.log(
    table(
      ["from a clone to the first page", "s"],
      [
        ["clone", seconds(cloned)],
        ["install packages", seconds(first.buildingAt - first.installingAt)],
        ["build the web app, make the database, start", seconds(first.readyAt - first.buildingAt)],
        ["the first page after that", seconds(first.pageAt - first.readyAt)],
        ["all", seconds(cloned + first.pageAt)],
      ],
    ),
  );
  console.log();
  console.log(
    table(
      [`warm start, ${WARM_STARTS} times`, "s"],
      [
        ["from the command to a page, best", seconds(times[0]!)],
        ["median", seconds(times[Math.floor(times.length / 2)]!)],
        ["worst", seconds(times.at(-1)!)],
        ["stop, worst", seconds(Math.max(...warm.map(({ stoppedAfter }) => stoppedAfter)))],
      ],
    ),
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}
