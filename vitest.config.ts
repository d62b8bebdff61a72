import { availableParallelism } from "node:os";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { defineConfig } from "vitest/config";

/** Short-lived objects of a test seldom outlive a larger young generation: a tenth less time for the collector. */
const execArgv = ["--min-semi-space-size=16", "--max-semi-space-size=64"];

/** The longest start first, so that no worker runs one of them last. */
const LONGEST = [
  "fuzz/soak",
  "attacks/fields",
  "cli/keys/rotation",
  "operation/start-stop",
  "safety/never-see-equality",
  "demo/demo",
  "cli/backup/backup",
  "cli/operator",
  "fuzz/payments-fuzz",
  "operation/rolling-restart",
  "cli/backup/restore-guards",
  "data/stolen-data",
  "accounts/export",
  "operation/exposed-start",
  "cli/backup/deletions",
  "operation/tracing",
  "accounts/deletion",
  "media/clear-icons",
  "discovery/position/trilateration",
  "media/storage",
  "safety/never-see",
  "data/dump",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return at === -1 ? LONGEST.length : at;
    };
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's method
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  test: {
    teardownTimeout: 30_000,
    // A test waits half of its time: for timeouts, files and processes that it starts.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          name: "server",
          execArgv,
          environment: "node",
          include: ["{contract,i18n,server,mobile,test-services,scripts}/**/*.test.ts"],
          exclude: ["**/node_modules/**"],
          globalSetup: ["./server/src/testing/global-setup.ts"],
          setupFiles: ["./server/src/testing/each-file.ts"],
          // The files of a worker share loaded and compiled modules.
          isolate: false,
          // An export of everything takes half a minute on a machine with other work.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "web",
          environment: "node",
          include: ["web/app/**/*.test.ts"],
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        test: {
          name: "components",
          execArgv,
          environment: "happy-dom",
          include: ["web/app/**/*.test.tsx"],
          // A first dialog loads its code.
          testTimeout: 30_000,
          setupFiles: ["./web/app/testing/setup.ts"],
        },
      },
    ],
  },
});
