import { existsSync } from "node:fs";
import { chromium, defineConfig } from "@playwright/test";

/** Where Debian's package puts the browser; used unless Playwright's own is installed. */
const DEBIANS_CHROMIUM = "/usr/bin/chromium";
const hasOwnBrowser = existsSync(chromium.executablePath());

export default defineConfig({
  testDir: ".",
  testMatch: "*.spec.ts",
  outputDir: "test-results",
  workers: 2,
  forbidOnly: Boolean(process.env["CI"]),
  // A shared machine may be slow once; what fails twice is wrong. Locally nothing is tried again.
  retries: process.env["CI"] ? 1 : 0,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  reporter: "list",
  use: {
    browserName: "chromium",
    actionTimeout: 15_000,
    navigationTimeout: 20_000,
    trace: "retain-on-failure",
    launchOptions: {
      ...(hasOwnBrowser ? {} : { executablePath: DEBIANS_CHROMIUM }),
      args: [
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
});
