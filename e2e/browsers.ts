import { existsSync } from "node:fs";
import { chromium, type LaunchOptions } from "@playwright/test";

// Where Debian's packages put them; used unless Playwright's own are installed.
const SHELL = "/usr/bin/chromium-headless-shell";
const WHOLE = "/usr/bin/chromium";
const hasOwn = existsSync(chromium.executablePath());
const args = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Chromium's shell, which has no windows around its pages and takes a quarter of the time; all of it where there is none. */
export const quickBrowser: LaunchOptions = hasOwn
  ? { args }
  : { args, executablePath: existsSync(SHELL) ? SHELL : WHOLE };

/** All of Chromium, for what its shell lacks: it shows no notifications. */
export const wholeBrowser: LaunchOptions = hasOwn
  ? { args, channel: "chromium" }
  : { args, executablePath: WHOLE };
