import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    teardownTimeout: 30_000,
    projects: [
      {
        test: {
          name: "server",
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
