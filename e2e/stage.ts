import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { test as base, expect, type BrowserContext, type Page } from "@playwright/test";
import { startGoogle, type GoogleStandIn } from "@alcove/test-services/google";
import { startMailbox, type Mailbox } from "@alcove/test-services/mail";
import { startPayPal, type PayPalStandIn } from "@alcove/test-services/paypal";
import { startRecaptcha, type RecaptchaStandIn } from "@alcove/test-services/recaptcha";
import { startServer, type ServerProcess } from "@alcove/test-services/server";
import type { Language, Translations } from "@alcove/i18n";
import { openLine, type Line } from "@alcove/test-services/network-proxy";
import { wordsOf } from "./words.ts";

const run = promisify(execFile);
const OPERATOR = fileURLToPath(new URL("../server/src/cli/main.ts", import.meta.url));
const LOCALES: Record<Language, string> = {
  en: "en-US",
  ja: "ja-JP",
  "zh-hans": "zh-CN",
  "zh-hant": "zh-TW",
};
const DEVICES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } } as const;

/** Somebody at a browser of its own. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly language: Language;
  readonly words: Translations;
  /** Opens an address below the visitor's language, such as `/login`. */
  open(path: string): Promise<void>;
  /** The full address of a path below the language. */
  address(path: string): string;
  /** Says that the browser may complain of this, such as an answer with status 401. */
  expectComplaint(about: RegExp): void;
  /** Says that the browser may ask this other origin, such as Google's stand-in. */
  mayAsk(origin: string): void;
  /** Cuts the connection to the server, as a tunnel does. */
  goOffline(): Promise<void>;
  comeBack(): Promise<void>;
}

interface Wish {
  language?: Language;
  /** Where the device says it is once it is asked, `[longitude, latitude]`; without it the device refuses to say. */
  at?: readonly [number, number];
  device?: keyof typeof DEVICES;
  theme?: "light" | "dark";
}

interface ForWorker {
  botCheck: "altcha" | "recaptcha" | "off";
  recaptcha: RecaptchaStandIn;
  /** Off unless a test is about them: all visitors of a worker share one network address. */
  rateLimits: "on" | "off";
  /** How many a free member may decide on in a day. Whoever needs more than one says "100", so that they share a server. */
  freeCards: string;
  /** Whether the server knows of Google. */
  signIn: "google" | "password";
  google: GoogleStandIn;
  /** The sandbox that a server brings along, a stand-in of PayPal that the test is in charge of, or none. */
  payments: "sandbox" | "stand-in" | "stand-in with buttons" | "off";
  /** Null for the sandbox, and where there is none. */
  paypal: PayPalStandIn | null;
  mailbox: Mailbox;
  dataDir: string;
  server: Served;
  /** The operator's command line beside the server, such as `coupons create …`. */
  operate(...words: string[]): Promise<void>;
}

/** The server of a worker. */
interface Served extends ServerProcess {
  /** Stops it and starts it again, at the same address and with the same data. */
  restart(): Promise<void>;
}

interface ForTest {
  /** A visitor with a browser context of its own. Its complaints, and requests to anybody but us, fail the test. */
  visit(wish?: Wish): Promise<Visitor>;
}

/** What a test may ask for. */
export type Stage = ForTest & ForWorker;

/** The tests of whole journeys: a real server with a database and a mail server of its own, and real browsers. */
export const test = base.extend<ForTest, ForWorker>({
  botCheck: ["off", { option: true, scope: "worker" }],
  rateLimits: ["off", { option: true, scope: "worker" }],
  freeCards: ["1", { option: true, scope: "worker" }],
  signIn: ["password", { option: true, scope: "worker" }],
  google: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads what a fixture needs from its pattern
    async ({}, use) => {
      const google = await startGoogle();
      await use(google);
      await google.close();
    },
    { scope: "worker" },
  ],
  payments: ["sandbox", { option: true, scope: "worker" }],
  paypal: [
    async ({ payments }, use) => {
      const paypal = payments.startsWith("stand-in") ? await startPayPal() : null;
      await use(paypal);
      await paypal?.close();
    },
    { scope: "worker" },
  ],
  recaptcha: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads what a fixture needs from its pattern
    async ({}, use) => {
      const recaptcha = await startRecaptcha();
      await use(recaptcha);
      await recaptcha.close();
    },
    { scope: "worker" },
  ],
  mailbox: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads what a fixture needs from its pattern
    async ({}, use) => {
      const mailbox = await startMailbox();
      await use(mailbox);
      await mailbox.close();
    },
    { scope: "worker" },
  ],
  dataDir: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads what a fixture needs from its pattern
    async ({}, use) => {
      const dataDir = await mkdtemp(join(tmpdir(), "alcove-e2e-"));
      await use(dataDir);
      await rm(dataDir, { recursive: true, force: true });
    },
    { scope: "worker" },
  ],
  operate: [
    async ({ dataDir }, use) => {
      const env = { PATH: process.env["PATH"], HOME: process.env["HOME"], DATA_DIR: dataDir };
      await use(async (...words) => void (await run(process.execPath, [OPERATOR, ...words], { env })));
    },
    { scope: "worker" },
  ],
  server: [
    async (
      { dataDir, payments, botCheck, rateLimits, freeCards, signIn, google, paypal, recaptcha, mailbox },
      use,
    ) => {
      const variables = {
        DATA_DIR: dataDir,
        BOT_CHECK: botCheck,
        RATE_LIMITS: rateLimits,
        FREE_CARDS_PER_DAY: freeCards,
        SMTP_URL: mailbox.url,
        LOG_LEVEL: "warn",
        // The pictures here show nobody; faces are tried where they are found.
        FACE_DETECTION: "off",
        ...(signIn === "google" ? google.variables : {}),
        ...paypal?.variables,
        // Whoever may be reached from elsewhere brings no sandbox along.
        ...(payments === "off" ? { TRUST_PROXY: "on" } : {}),
        ...(payments === "stand-in with buttons" ? { PAYPAL_SCRIPT_URL: `${paypal!.origin}/sdk/js` } : {}),
        ...(botCheck === "recaptcha" ? recaptcha.variables : {}),
      };
      let server = await startServer(variables);
      const end = async () => {
        expect(await server.end()).toEqual({ code: 0, signal: null });
        expect(server.output()).not.toContain("a request failed");
      };
      await use({
        ...server,
        async restart() {
          await end();
          server = await startServer({ ...variables, PORT: new URL(server.url).port });
        },
      });
      await end();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  async visit({ browser, server }, use) {
    const ends: (() => Promise<void>)[] = [];
    const complaints: string[] = [];
    await use(async (wish = {}) => {
      const { language = "en", at, device = "desktop", theme = "light" } = wish;
      const line = await openLine(server.url);
      const context = await browser.newContext({
        baseURL: line.url,
        locale: LOCALES[language],
        timezoneId: "Asia/Tokyo",
        viewport: DEVICES[device],
        hasTouch: device === "phone",
        isMobile: device === "phone",
        colorScheme: theme,
        reducedMotion: "reduce",
        ...(at ? { geolocation: { longitude: at[0], latitude: at[1] } } : { permissions: [] }),
      });
      const watch = watchFor(context, line);
      const page = await context.newPage();
      ends.push(async () => {
        complaints.push(...watch.complaints.map((complaint) => `${language}: ${complaint}`));
        await context.close();
        await line.close();
      });
      const address = (path: string) => `${line.url}/${language}${path}`;
      return {
        page,
        context,
        language,
        words: wordsOf(language),
        address,
        open: async (path) => void (await page.goto(address(path))),
        expectComplaint: (about) => watch.expected.push(about),
        mayAsk: (origin) => watch.others.push(origin),
        async goOffline() {
          watch.expected.push(/net::ERR_/, /closed before receiving a handshake/);
          await context.setOffline(true);
          line.cut();
        },
        async comeBack() {
          line.mend();
          await context.setOffline(false);
        },
      };
    });
    for (const end of ends) await end();
    expect(complaints).toEqual([]);
  },
});

interface Watch {
  complaints: string[];
  expected: RegExp[];
  /** Origins besides ours that may be asked. */
  others: string[];
}

/** Gathers what a browser complains of, and whom it asks besides us. */
function watchFor(context: BrowserContext, line: Line): Watch {
  const complaints: string[] = [];
  const expected: RegExp[] = [];
  const others: string[] = [];
  const complain = (text: string) => {
    if (!expected.some((about) => about.test(text))) complaints.push(text);
  };
  context.on("console", (message) => {
    if (message.type() === "error") complain(`${message.text()} (${message.location().url})`);
  });
  context.on("weberror", (error) => complain(String(error.error().stack || error.error())));
  context.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    const isOurs = origin === line.url || ["blob:", "data:"].includes(protocol);
    if (!isOurs && !others.includes(origin)) complain(`asked ${request.url()}`);
  });
  return { complaints, expected, others };
}

export { expect };
