import { mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser } from "@playwright/test";
import { allTranslations } from "@alcove/i18n/all";
import { startMailbox } from "@alcove/test-services/mail";
import { startServer } from "@alcove/test-services/server";
import { headlessShell } from "@alcove/test-services/browsers";
import { quantile, table } from "./stats.ts";
import { startBarePage } from "./pages/bare-page.ts";
import { measureInteractions, measureLoad, measureSlowHome, openPage, type Load } from "./pages/measure.ts";
import { prepareStage, type Stage } from "./pages/stage.ts";

/**
 * Measures the built web app in Chromium beside a bare React page. Run: `npm run build -w web`, then `npm run web -w bench`.
 * Each page loads three times with an empty cache; the tables have medians.
 */
const RUNS = 3;
const DECISIONS = 8;
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

async function decisions(browser: Browser, url: string, { hanako }: Stage): Promise<number[]> {
  const { page, close } = await openPage(browser, "phone", hanako);
  await page.goto(`${url}/en`);
  const pass = page.getByRole("button", { name: t.home.pass, exact: true });
  await pass.waitFor();
  await page.keyboard.press("Escape"); // the question for the position
  const durations = await measureInteractions(page, async () => {
    for (let i = 0; i < DECISIONS; i++) await pass.click();
  });
  await close();
  return durations;
}

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "alcove-bench-"));
  const mailbox = await startMailbox();
  const server = await startServer({
    DATA_DIR: dataDir,
    BOT_CHECK: "off",
    RATE_LIMITS: "off",
    FREE_CARDS_PER_DAY: "100",
    FACE_DETECTION: "off",
    LOG_LEVEL: "warn",
    SMTP_URL: mailbox.url,
  });
  const bare = await startBarePage();
  const browser = await chromium.launch(headlessShell);
  try {
    const stage = await prepareStage(server.url, mailbox);
    const head = [
      "page",
      "device",
      "script KB",
      "scripts",
      "requests",
      "first paint ms",
      "largest paint ms",
      "layout shift",
    ];
    console.log(table(head, await loadRows(browser, server.url, bare.url, stage)));
    const slow = await repeat(async () => measureSlowHome(browser, `${server.url}/en`, stage.hanako));
    const inputs = [["decisions on the card", await decisions(browser, server.url, stage)]] as const;
    const cells = inputs.map(([name, found]) => [
      name,
      String(found.length),
      ms(median(found)),
      ms(quantile(found, 0.98)),
    ]);
    console.log(
      `\n${table(
        ["home, slow 4G, 4 times slower", "ms"],
        [
          ["skeleton", ms(median(slow.map(({ skeletonMs }) => skeletonMs)))],
          ["card", ms(median(slow.map(({ cardMs }) => cardMs)))],
        ],
      )}\n\n${table(["input", "slower than 16 ms", "median ms", "98 % ms"], cells)}`,
    );
    console.log(`\nload of the machine: ${loadavg()[0]!.toFixed(1)}`);
  } finally {
    await browser.close();
    await bare.close();
    await server.stop();
    await mailbox.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await main();
