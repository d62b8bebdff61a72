import { defineConfig } from "vitest/config";

// A shared machine may be slow once; what fails twice is wrong. Locally nothing is tried again.
const retry = process.env["CI"] ? 1 : 0;

export default defineConfig({
  test: {
    teardownTimeout: 30_000,
    // By itself it leaves a core to the watcher; a test waits for its server half of the time.
    maxWorkers: "100%",
    projects: [
      {
        test: {
          name: "server",
          retry,
          environment: "node",
          include: ["{contract,texts,server,sandbox,scripts}/**/*.test.ts"],
          exclude: ["**/node_modules/**"],
          globalSetup: ["./server/src/testing/global-setup.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      { test: { name: "web", environment: "node", include: ["web/app/**/*.test.ts"] } },
    ],
  },
});
