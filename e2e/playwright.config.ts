import { availableParallelism } from "node:os";
import { defineConfig } from "@playwright/test";
import { headlessShell } from "@alcove/test-services/browsers";

export default defineConfig({
  testDir: "specs",
  testMatch: "*.spec.ts",
  outputDir: "test-results",
  globalSetup: "./global-setup.ts",
  // A test often waits: for a page, a timer or the server.
  workers: Math.ceil(availableParallelism() * 1.5),
  forbidOnly: Boolean(process.env["CI"]),
  timeout: 90_000,
  expect: { timeout: 10_000 },
  reporter: "list",
  use: {
    browserName: "chromium",
    actionTimeout: 15_000,
    navigationTimeout: 20_000,
    launchOptions: headlessShell,
  },
});
