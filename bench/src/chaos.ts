import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { chaos } from "./chaos/chaos.ts";
import { Report } from "./results.ts";
import { quantile } from "./stats.ts";

/** `npm run chaos`: breaks a deployment for ten minutes under load, then checks that nothing is lost or stored twice. */

const MAX_MINUTES = 60;
const MIN_MINUTES_FOR_JOBS = 3;
/** An order without its webhook is polled when it is ten minutes old, by a job that runs every five. */
const SETTLE_MS = 17 * 60_000;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string", default: String(randomInt(2 ** 31)) },
    save: { type: "boolean", default: false },
  },
});
const minutes = Math.min(Math.max(Number(values.minutes), 0.2), MAX_MINUTES);
console.log(`seed ${values.seed}, ${minutes} minutes`);

const startedAt = performance.now();
const figures = await chaos({
  seconds: minutes * 60,
  seed: Number(values.seed),
  sizes: {
    chatPairs: 8,
    filePairs: 3,
    freeLikers: 4,
    paidLikers: 4,
    inviters: 3,
    buyersEach: 2,
    others: 20,
  },
  paidLikesPerDay: 50,
  pauseMs: [500, 6_000],
  calmMs: [500, 3_000],
  settleMs: SETTLE_MS,
  areJobsAwaited: minutes >= MIN_MINUTES_FOR_JOBS,
  log: (line) =>
    console.log(`${((performance.now() - startedAt) / 1_000).toFixed(0).padStart(4)} s  ${line}`),
});

const byCount = (counts: ReadonlyMap<string, number>) =>
  [...counts].toSorted(([, a], [, b]) => b - a).map(([name, count]) => [name, String(count)]);
const seconds = (ms: number) => (ms / 1_000).toFixed(1);
const results = new Report("chaos", values.save);
results.table("failures", ["failure", "times"], byCount(figures.faults));
results.table("requests", ["request", "sent", "acknowledged"], figures.requests);
results.table("errors", ["error", "times"], byCount(figures.errors));
const recoveries = [...figures.recoveriesMs].map(([part, ms]) => [
  part,
  String(ms.length),
  seconds(quantile(ms, 0.5)),
  seconds(quantile(ms, 0.95)),
]);
results.table("recoveries", ["part", "times", "p50 s", "p95 s"], recoveries);
const { messages, files, orders, settledMs, problems } = figures;
results.table(
  "stored",
  ["messages", "files", "orders", "settled after s"],
  [[String(messages), String(files), String(orders), seconds(settledMs)]],
);
results.table(
  "problems",
  ["found"],
  problems.map((problem) => [problem]),
);
results.end(`${minutes} minutes, seed ${values.seed}`);
console.log(problems.length === 0 ? "nothing lost, nothing stored twice, exact to the cent" : "FAILED");
process.exit(problems.length === 0 ? 0 : 1);
