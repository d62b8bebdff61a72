import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { splitTexts } from "./web/split-texts.ts";

/** Short-lived objects of a test seldom outlive a larger young generation: a tenth less time for the collector. */
const execArgv = ["--min-semi-space-size=16", "--max-semi-space-size=64"];

export default defineConfig({
  test: {
    tags: [
      { name: "long", description: "Proves operation rather than a change: in `npm run test:long` only." },
    ],
    teardownTimeout: 30_000,
    // A test waits half of its time: for timeouts, files and processes that it starts.
    maxWorkers: Math.ceil(availableParallelism() * 1.5),
    projects: [
      {
        test: {
          name: "server",
          execArgv,
          environment: "node",
          include: ["{bench,contract,i18n,server,mobile,test-services,scripts}/**/*.test.ts"],
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
          isolate: false,
          include: ["web/app/**/*.test.ts"],
          expect: { poll: { timeout: 10_000 } },
        },
      },
      {
        plugins: [splitTexts()],
        test: {
          name: "components",
          execArgv,
          environment: "happy-dom",
          isolate: false,
          include: ["web/app/**/*.test.tsx"],
          // A first dialog loads its code.
          testTimeout: 30_000,
          setupFiles: ["./web/app/testing/setup.ts"],
        },
      },
    ],
  },
});
