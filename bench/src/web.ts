import { parseArgs } from "node:util";
import { chromium, type Browser } from "@playwright/test";
import { allTranslations } from "@alcove/i18n/all";
import { headlessShell } from "@alcove/test-services/browsers";
import type { SignedUpMember } from "@alcove/test-services/client";
import { Report } from "./results.ts";
import { quantile } from "./stats.ts";
import { startBarePage } from "./pages/bare-page.ts";
import {
  measureInteractions,
  measureLoad,
  measureSlowHome,
  openPage,
  slowDown,
  type Load,
} from "./pages/measure.ts";
import { type BenchChat, prepareStage, type Stage } from "./pages/stage.ts";
import { startApp } from "./pages/start-app.ts";

/**
 * Measures the built web app in Chromium beside a bare React page. Run: `npm run build -w web`, then `npm run web -w bench`.
 * Each page loads three times with an empty cache; the tables have medians. `-- --only inputs` measures one part, `--save` keeps
 * the results.
 */
const PARTS = ["loads", "home", "inputs"] as const;
type Part = (typeof PARTS)[number];
const RUNS = 3;
const DECISIONS = 8;
const TEXT = "Shall we look at the herons on Sunday morning?";
const KEY_DELAY_MS = 60;
const SENDS = 5;
const HEAD = [
  "page",
  "device",
  "script KB",
  "scripts",
  "requests",
  "first paint ms",
  "largest paint ms",
  "layout shift",
];
const INPUT_HEAD = ["input", "slower than 16 ms", "median ms", "98 % ms"];
const t = allTranslations.en;

const median = (values: readonly number[]): number => quantile(values, 0.5);
const ms = (value: number): string => value.toFixed(0);

function row(name: string, device: string, loads: readonly Load[]): string[] {
  const of = (read: (load: Load) => number) => median(loads.map(read));
  return [
    name,
    device,
    (of(({ scriptBytes }) => scriptBytes) / 1_024).toFixed(1),
    String(of(({ scripts }) => scripts)),
    String(of(({ requests }) => requests)),
    ms(of(({ firstPaintMs }) => firstPaintMs)),
    ms(of(({ largestPaintMs }) => largestPaintMs)),
    of(({ shift }) => shift).toFixed(3),
  ];
}

async function repeat<T>(run: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let i = 0; i < RUNS; i++) results.push(await run());
  return results;
}

async function loadRows(
  browser: Browser,
  url: string,
  bareUrl: string,
  { pages }: Stage,
): Promise<string[][]> {
  const rows: string[][] = [];
  for (const device of ["phone", "desktop"] as const) {
    rows.push(
      row("bare React", device, await repeat(async () => measureLoad(browser, device, bareUrl, null))),
    );
    for (const { name, path, member } of pages) {
      const loads = await repeat(async () => measureLoad(browser, device, `${url}${path}`, member));
      rows.push(row(name, device, loads));
    }
  }
  return rows;
}

/** Durations of interactions on a phone with a slow processor, by action. */
async function interactions(browser: Browser, url: string, stage: Stage): Promise<[string, number[]][]> {
  const found: [string, number[]][] = [["decisions on the card", await decide(browser, url, stage)]];
  for (const chat of stage.chats)
    found.push(...Object.entries(await write(browser, url, stage.hanako, chat)));
  return found;
}

async function decide(browser: Browser, url: string, { hanako }: Stage): Promise<number[]> {
  const { page, cdp, close } = await openPage(browser, "phone", hanako);
  await page.goto(`${url}/en`);
  const pass = page.getByRole("button", { name: t.home.pass, exact: true });
  await pass.waitFor();
  await page.keyboard.press("Escape"); // the question for the position
  await slowDown(cdp);
  const durations = await measureInteractions(page, async () => {
    for (let i = 0; i < DECISIONS; i++) await pass.click();
  });
  await close();
  return durations;
}

/** All messages are loaded first, as after reading the chat from its beginning. */
async function write(
  browser: Browser,
  url: string,
  writer: SignedUpMember,
  { path, messages }: BenchChat,
): Promise<Record<string, number[]>> {
  const { page, cdp, close } = await openPage(browser, "phone", writer);
  await page.goto(`${url}${path}`);
  const log = page.getByRole("region", { name: t.chat.messages, exact: true });
  const bubbles = log.locator("[data-message]");
  await bubbles.first().waitFor();
  while ((await bubbles.count()) < messages)
    await log.evaluate(async (element) => {
      element.scrollTop = -element.scrollHeight;
      await new Promise(requestAnimationFrame);
    });
  await log.evaluate((element) => (element.scrollTop = 0));
  const field = page.getByRole("textbox", { name: t.chat.write, exact: true });
  const send = page.getByRole("button", { name: t.chat.send, exact: true });
  await field.click();
  await slowDown(cdp);
  const typing = await measureInteractions(page, async () => {
    await page.keyboard.type(TEXT, { delay: KEY_DELAY_MS });
  });
  const sending = await measureInteractions(page, async () => {
    for (let i = 0; i < SENDS; i++) {
      await field.fill(`${TEXT} ${i}`);
      await send.click();
    }
  });
  await close();
  const chat = `in a chat of ${messages.toLocaleString("en")}`;
  return { [`typing ${chat}`]: typing, [`sending ${chat}`]: sending };
}

async function homeRows(browser: Browser, url: string, { hanako }: Stage): Promise<string[][]> {
  const loads = await repeat(async () => measureSlowHome(browser, `${url}/en`, hanako));
  return [
    ["skeleton", ms(median(loads.map(({ skeletonMs }) => skeletonMs)))],
    ["card", ms(median(loads.map(({ cardMs }) => cardMs)))],
  ];
}

async function inputRows(browser: Browser, url: string, stage: Stage): Promise<string[][]> {
  return (await interactions(browser, url, stage)).map(([name, found]) => [
    name,
    String(found.length),
    ms(median(found)),
    ms(quantile(found, 0.98)),
  ]);
}

const { values: options } = parseArgs({
  options: { only: { type: "string" }, save: { type: "boolean", default: false } },
});

function chosenParts(): readonly Part[] {
  const { only } = options;
  const chosen = PARTS.filter((part) => only === undefined || part === only);
  if (chosen.length === 0) throw new Error(`--only has ${PARTS.join(", ")}`);
  return chosen;
}

async function main(): Promise<void> {
  const app = await startApp();
  const bare = await startBarePage();
  const browser = await chromium.launch(headlessShell);
  const results = new Report("web", options.save);
  try {
    const stage = await prepareStage(app.url, app.mailbox);
    for (const part of chosenParts()) {
      if (part === "loads") results.table("loads", HEAD, await loadRows(browser, app.url, bare.url, stage));
      if (part === "home")
        results.table(
          "home, slow 4G, 4 times slower",
          ["shown", "ms"],
          await homeRows(browser, app.url, stage),
        );
      if (part === "inputs") results.table("inputs", INPUT_HEAD, await inputRows(browser, app.url, stage));
    }
    results.end("medians of three loads; inputs with a 4 times slower processor");
  } finally {
    await browser.close();
    await bare.close();
    await app.stop();
  }
}

await main();
