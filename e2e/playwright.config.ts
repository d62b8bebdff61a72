import { defineConfig } from "@playwright/test";
import { headlessShell } from "@alcove/test-services/browsers";

export default defineConfig({
  testDir: "specs",
  testMatch: "*.spec.ts",
  outputDir: "test-results",
  workers: 2,
  forbidOnly: Boolean(process.env["CI"]),
  // A shared machine may be slow once.
  retries: process.env["CI"] ? 1 : 0,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  reporter: "list",
  use: {
    browserName: "chromium",
    actionTimeout: 15_000,
    navigationTimeout: 20_000,
    // A trace takes a picture of every step, which is slow.
    trace: "on-first-retry",
    launchOptions: headlessShell,
  },
});
