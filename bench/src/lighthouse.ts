import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import { fullBrowser } from "@alcove/test-services/browsers";
import { freePort } from "@alcove/test-services/server";
import { auditPage, CATEGORIES, type Audited, type Category } from "./pages/lighthouse-audit.ts";
import { startApp } from "./pages/start-app.ts";
import { Report } from "./results.ts";
import { quantile } from "./stats.ts";

/**
 * Audits the public pages and the login of the built web app by Lighthouse, as a phone.
 * Run: `npm run build -w web`, then `npm run lighthouse -w bench`. `-- --runs 1` audits each page once
 * instead of three times, `--save` keeps the results. It fails below 100 in a category other than performance, which
 * varies by five points between loads of one page.
 */
const { values: options } = parseArgs({
  options: { runs: { type: "string", default: "3" }, save: { type: "boolean", default: false } },
});
const RUNS = Number(options.runs);
const LANGUAGES = ["en", "ja"];
const LISTED = ["", "login", "about-service", "pricing", "tos", "privacy-policy", "provider", "contact"];
const FULL_SCORE = 100;

function scoresOf(runs: readonly Audited[]): Record<Category, number> {
  const median = (id: Category) =>
    quantile(
      runs.map(({ scores }) => scores[id]),
      0.5,
    );
  return {
    performance: median("performance"),
    accessibility: median("accessibility"),
    "best-practices": median("best-practices"),
    seo: median("seo"),
  };
}

async function main(): Promise<void> {
  const app = await startApp();
  const port = await freePort();
  const browser = await chromium.launch({
    ...fullBrowser,
    args: [...(fullBrowser.args ?? []), `--remote-debugging-port=${port}`],
  });
  const rows: string[][] = [];
  const missed: string[] = [];
  try {
    for (const language of LANGUAGES)
      for (const page of LISTED) {
        const path = page ? `/${language}/${page}` : `/${language}`;
        const runs: Audited[] = [];
        for (let i = 0; i < RUNS; i++) runs.push(await auditPage(`${app.url}${path}`, port));
        const scores = scoresOf(runs);
        rows.push([path, ...CATEGORIES.map((id) => String(scores[id]))]);
        if (CATEGORIES.some((id) => id !== "performance" && scores[id] < FULL_SCORE))
          missed.push(`${path}: ${[...new Set(runs.flatMap((run) => run.failed))].join(", ")}`);
      }
  } finally {
    await browser.close();
    await app.stop();
  }
  const results = new Report("lighthouse", options.save);
  results.table("scores", ["page", ...CATEGORIES], rows);
  results.end(`medians of ${RUNS} runs`);
  if (missed.length > 0) {
    console.log(`\nbelow the full score:\n${missed.join("\n")}`);
    process.exitCode = 1;
  }
}

await main();
