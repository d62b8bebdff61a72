import { existsSync } from "node:fs";
import { defineConfig } from "vitest/config";

const screens = existsSync(new URL("web/vitest.config.ts", import.meta.url))
  ? ["./web/vitest.config.ts"]
  : [];

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
      ...screens,
    ],
  },
});
