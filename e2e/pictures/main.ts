/** npm run pictures [-- --only home --view en --out FOLDER]: takes pictures of all screens of a server with sample members. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "@playwright/test";
import { startMailbox } from "@alcove/test-services/mail";
import { startPayPal } from "@alcove/test-services/paypal";
import { startServer } from "@alcove/test-services/server";
import { headlessShell } from "@alcove/test-services/browsers";
import { openVisitor, type VisitOptions } from "../fixtures/visitor.ts";
import { capture, drawSheet } from "./capture.ts";
import { people, settle } from "./member.ts";
import { stories } from "./stories.ts";

const { values } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    view: { type: "string", default: "" },
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
/** Percent; the whole folder stays under 4 MB. */
const QUALITY = 62;

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
    FREE_CARDS_PER_DAY: "50",
    PAYPAL_SANDBOX: "on",
    SMTP_URL: mailbox.url,
    LOG_LEVEL: "info",
  },
  ["--demo"],
);
const browser = await chromium.launch(headlessShell);
await mkdir(values.out, { recursive: true });
let failed = 0;
try {
  // Early candidates would be those who happened to be created first.
  while (!server.output().includes("all sample members created")) await setTimeout(1_000);
  for (const [view, options] of Object.entries(VIEWS)) {
    if (values.view !== "" && view !== values.view) continue;
    const told = stories.filter(
      ({ name, isMain = false }) => name.startsWith(values.only) && (isMain || FULL_VIEWS.includes(view)),
    );
    if (told.length === 0) continue;
    const settled = await settle(server.url, mailbox, options.language);
    const at = people[options.language].home;
    const { visitor, close } = await openVisitor(browser, server.url, { ...options, at });
    await visitor.context.grantPermissions(["geolocation"]);
    const shots: Shot[] = [];
    for (const story of told) {
      const shoot = async (name: string) => {
        const webp = await capture(visitor.page, QUALITY);
        shots.push({ sheet: FULL_VIEWS.includes(view) ? story.sheet : "main", name, webp });
        if (values.only !== "" || SINGLE.includes(`${name}.${view}`)) await write(`${name}.${view}`, webp);
      };
      await story.tell({ ...settled, visitor, mailbox, shoot }).catch((error: unknown) => {
        failed++;
        console.error(`${story.name}.${view}: ${String(error)}`);
      });
    }
    for (const [sheet, onSheet] of Map.groupBy(shots, (shot) => shot.sheet)) {
      const webp = await drawSheet(browser, onSheet, options.device === "phone" ? 390 : 800);
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
