/**
 * npm run pictures [-- --only home,upgrade --view en,ja-desktop-dark --out FOLDER --whole]: takes pictures of all screens of a
 * server with sample members. `--view all` stands for English and Japanese on both devices in both themes; `--whole` adds
 * pictures of the pages that are higher than the window.
 */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { chromium } from "@playwright/test";
import { type Language, languages } from "@alcove/i18n";
import { startMailbox } from "@alcove/test-services/mail";
import { startPayPal } from "@alcove/test-services/paypal";
import { startServer } from "@alcove/test-services/server";
import { headlessShell } from "@alcove/test-services/browsers";
import { openVisitor, type VisitOptions } from "../fixtures/visitor.ts";
import { capture, drawSheet, isHigherThanWindow, showFonts } from "./capture.ts";
import { people, settle } from "./member.ts";
import { stories } from "./stories.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    view: { type: "string", default: "" },
    whole: { type: "boolean", default: false },
    out: { type: "string", default: fileURLToPath(new URL("../../docs/pictures", import.meta.url)) },
  },
});
/** The first two show all stories, the others the main ones. */
const VIEWS = {
  en: { language: "en", device: "phone", theme: "light", scale: 2 },
  "ja-desktop": { language: "ja", device: "desktop", theme: "dark", scale: 1 },
  "en-desktop": { language: "en", device: "desktop", theme: "light", scale: 1 },
  ja: { language: "ja", device: "phone", theme: "dark", scale: 2 },
  "zh-hans": { language: "zh-hans", device: "phone", theme: "light", scale: 2 },
  "zh-hant": { language: "zh-hant", device: "desktop", theme: "light", scale: 1 },
} as const satisfies Record<string, VisitOptions>;
const FULL_VIEWS = ["en", "ja-desktop"];

/** Returns the views to take: those of `docs/pictures/`, or any others in the form `ja-phone-dark`. */
function viewsToTake(): Record<string, VisitOptions> {
  if (values.view === "") return VIEWS;
  const all = ["en", "ja"].flatMap((language) =>
    ["phone", "desktop"].flatMap((device) =>
      ["light", "dark"].map((theme) => `${language}-${device}-${theme}`),
    ),
  );
  const names = values.view === "all" ? all : values.view.split(",");
  return Object.fromEntries(
    names.map((name) => [name, name in VIEWS ? VIEWS[name as keyof typeof VIEWS] : viewOf(name)]),
  );
}

function viewOf(name: string): VisitOptions {
  const [, language, device, theme] = /^(.+)-(phone|desktop)-(light|dark)$/.exec(name) ?? [];
  if (!languages.includes(language as Language)) throw new Error(`unknown view ${name}`);
  return { language, device, theme, scale: 1 } as VisitOptions;
}
/** Percent; the whole folder stays under 4 MB. */
const QUALITY = 62;

const OPERATOR_CLI = fileURLToPath(new URL("../../server/src/operator/cli/main.ts", import.meta.url));

/** Shown one by one in the README; all others are on sheets. */
const SINGLE = ["home.en", "home.ja", "matched.en", "chat.en"];

interface Shot {
  readonly sheet: string;
  readonly name: string;
  readonly webp: string;
}

async function write(name: string, webp: string): Promise<void> {
  await writeFile(join(values.out, `${name}.webp`), Buffer.from(webp, "base64"));
  console.log(name);
}

async function runOperator(...args: string[]): Promise<string> {
  const { PATH, HOME } = process.env;
  const env = { PATH, HOME, DATA_DIR: dataDir, CONSOLE_PORT: "0" };
  return (await promisify(execFile)(process.execPath, [OPERATOR_CLI, ...args], { env })).stdout;
}

const dataDir = await mkdtemp(join(tmpdir(), "alcove-pictures-"));
const mailbox = await startMailbox();
const sandbox = await startPayPal();
const server = await startServer(
  {
    ...sandbox.variables,
    DATA_DIR: dataDir,
    BOT_CHECK: "off",
    FACE_DETECTION: "off", // drawn pictures show no face
    RATE_LIMITS: "off",
    FREE_CARDS_PER_DAY: "1", // as without sample members
    CONSOLE_PORT: "0",
    PAYPAL_SANDBOX: "on",
    BROKERAGE_HOLD_DAYS: "0",
    SMTP_URL: mailbox.url,
    LOG_LEVEL: "info",
  },
  ["--demo"],
);
await sandbox.setPublicUrl(`${server.url}/sandbox/paypal`);
const [, consoleUrl = ""] = /console of operators is at (\S+)/.exec(server.output()) ?? [];
const surroundings = { mailbox, paypal: sandbox, serverUrl: server.url, consoleUrl, runOperator };
const only = values.only.split(",");
const browser = await chromium.launch(headlessShell);
await mkdir(values.out, { recursive: true });
let failed = 0;
try {
  // Early candidates would be those who happened to be created first.
  while (!server.output().includes("all sample members created")) await setTimeout(1_000);
  for (const [view, options] of Object.entries(viewsToTake())) {
    const isFull = FULL_VIEWS.includes(view) || !(view in VIEWS);
    const told = stories.filter(
      ({ name, isMain = false }) => only.some((part) => name.startsWith(part)) && (isMain || isFull),
    );
    if (told.length === 0) continue;
    const { language = "en", device } = options;
    const settled = await settle(server.url, mailbox, sandbox, language);
    const at = people[language].home;
    const { visitor, close } = await openVisitor(browser, server.url, { ...options, at });
    await visitor.context.grantPermissions(["geolocation"]);
    await showFonts(visitor.context);
    const shots: Shot[] = [];
    for (const story of told) {
      const shoot = async (name: string, page = visitor.page) => {
        const webp = await capture(page, QUALITY);
        shots.push({ sheet: isFull ? story.sheet : "main", name, webp });
        if (values.only !== "" || SINGLE.includes(`${name}.${view}`)) await write(`${name}.${view}`, webp);
        if (values.whole && (await isHigherThanWindow(page)))
          await write(`${name}-whole.${view}`, await capture(page, QUALITY, true));
      };
      await story
        .tell({ ...settled, ...surroundings, visitor, theme: options.theme ?? "light", shoot })
        .catch((error: unknown) => {
          failed++;
          console.error(`${story.name}.${view}: ${String(error)}`);
        });
    }
    for (const [sheet, onSheet] of Map.groupBy(shots, (shot) => shot.sheet)) {
      const webp = await drawSheet(browser, onSheet, device === "phone" ? 390 : 800);
      await write(`${sheet}-${view}`, webp);
    }
    await close();
  }
} finally {
  await browser.close();
  await server.stop();
  await sandbox.close();
  await mailbox.close();
  await rm(dataDir, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
