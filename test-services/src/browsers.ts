import { existsSync } from "node:fs";
import { chromium, type LaunchOptions } from "@playwright/test";

const HEADLESS_SHELL = "/usr/bin/chromium-headless-shell";
const CHROMIUM = "/usr/bin/chromium";
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

export const headlessShell: LaunchOptions = hasOwn
  ? { args }
  : { args, executablePath: existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : CHROMIUM };

export const fullBrowser: LaunchOptions = hasOwn
  ? { args, channel: "chromium" }
  : { args, executablePath: CHROMIUM };
