import { gzipSync } from "node:zlib";
import type { Browser, CDPSession, Page } from "@playwright/test";
import type { SignedUpMember } from "@alcove/test-services/client";

const DEVICES = {
  phone: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true },
  desktop: { viewport: { width: 1280, height: 800 } },
} as const;
export type DeviceName = keyof typeof DEVICES;

/** Lighthouse's slow 4G. */
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_638_400 / 8,
  uploadThroughput: 750_000 / 8,
};
const SLOWDOWN = 4;
/** Long enough for pictures and late shifts. */
const SETTLE_MS = 1_000;
const MAX_SETTLES = 10;
const CARD = "main article h2";

export interface Load {
  readonly scriptBytes: number;
  readonly scripts: number;
  readonly requests: number;
  readonly firstPaintMs: number;
  readonly largestPaintMs: number;
  readonly shift: number;
}

interface Observed {
  firstPaintMs: number;
  largestPaintMs: number;
  shift: number;
  /** When the first card was rendered. */
  cardMs: number;
  interactionsMs: number[];
}

declare global {
  var observed: Observed;
}

/** Runs in the page before its own scripts. */
function observe(card: string): void {
  globalThis.observed = { firstPaintMs: 0, largestPaintMs: 0, shift: 0, cardMs: 0, interactionsMs: [] };
  const { observed } = globalThis;
  const watch = (type: string, handle: (entry: PerformanceEntry) => void, options = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(handle)).observe({
      type,
      buffered: true,
      ...options,
    });
  watch("paint", ({ name, startTime }) => {
    if (name === "first-contentful-paint") observed.firstPaintMs = startTime;
  });
  watch("largest-contentful-paint", ({ startTime }) => (observed.largestPaintMs = startTime));
  watch("layout-shift", (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
    if (!hadRecentInput) observed.shift += value;
  });
  watch(
    "event",
    (entry) => {
      const { interactionId = 0 } = entry as PerformanceEntry & { interactionId?: number };
      if (interactionId > 0) observed.interactionsMs.push(entry.duration);
    },
    { durationThreshold: 16 },
  );
  new MutationObserver(() => {
    if (observed.cardMs === 0 && document.querySelector(card)?.checkVisibility())
      observed.cardMs = performance.now();
  }).observe(document, { childList: true, subtree: true });
}

export async function openPage(
  browser: Browser,
  device: DeviceName,
  member: SignedUpMember | null,
): Promise<{ page: Page; cdp: CDPSession; close: () => Promise<void> }> {
  const context = await browser.newContext({ ...DEVICES[device], locale: "en-US", serviceWorkers: "block" });
  await context.addInitScript(observe, CARD);
  if (member) {
    const { access, refresh } = member;
    await context.addInitScript(
      (session) => localStorage.setItem("session", session),
      JSON.stringify({ access, refresh }),
    );
  }
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  return { page, cdp, close: async () => context.close() };
}

/** Loads a page with an empty cache. Inline scripts count as script. */
export async function measureLoad(
  browser: Browser,
  device: DeviceName,
  url: string,
  member: SignedUpMember | null,
): Promise<Load> {
  const { page, cdp, close } = await openPage(browser, device, member);
  const types = new Map<string, string>();
  const bytes = new Map<string, number>();
  await cdp.send("Network.enable");
  cdp.on("Network.responseReceived", ({ requestId, type }) => types.set(requestId, type));
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) =>
    bytes.set(requestId, encodedDataLength),
  );
  const response = await page.goto(url, { waitUntil: "load" });
  for (let before = -1, i = 0; before !== types.size && i < MAX_SETTLES; i++) {
    before = types.size;
    await page.waitForTimeout(SETTLE_MS);
  }
  const scripts = [...types].filter(([, type]) => type === "Script").map(([id]) => bytes.get(id) ?? 0);
  const { firstPaintMs, largestPaintMs, shift } = await page.evaluate(() => globalThis.observed);
  const inline = inlineBytes((await response?.text()) ?? "");
  await close();
  return {
    scriptBytes: scripts.reduce((sum, each) => sum + each, inline),
    scripts: scripts.length,
    requests: types.size,
    firstPaintMs,
    largestPaintMs,
    shift,
  };
}

function inlineBytes(html: string): number {
  const inline = html.matchAll(/<script(?![^>]*\bsrc=)(?![^>]*application\/json)[^>]*>([\s\S]*?)<\/script>/g);
  return [...inline].reduce((sum, [, code = ""]) => sum + gzipSync(code).length, 0);
}

/** Makes the processor as slow as a cheap phone's. */
export async function slowDown(cdp: CDPSession): Promise<void> {
  await cdp.send("Emulation.setCPUThrottlingRate", { rate: SLOWDOWN });
}

/** Loads home with a slow connection and processor. */
export async function measureSlowHome(
  browser: Browser,
  url: string,
  member: SignedUpMember,
): Promise<{ skeletonMs: number; cardMs: number }> {
  const { page, cdp, close } = await openPage(browser, "phone", member);
  await cdp.send("Network.enable");
  await cdp.send("Network.emulateNetworkConditions", SLOW_4G);
  await slowDown(cdp);
  await page.goto(url, { waitUntil: "commit" });
  await page.waitForFunction(() => globalThis.observed.cardMs > 0, undefined, { timeout: 60_000 });
  const { firstPaintMs, cardMs } = await page.evaluate(() => globalThis.observed);
  await close();
  return { skeletonMs: firstPaintMs, cardMs };
}

/** Durations of all interactions that `act` makes, each from input to paint. Chromium reports those over 16 ms. */
export async function measureInteractions(page: Page, act: () => Promise<void>): Promise<number[]> {
  await page.evaluate(() => (globalThis.observed.interactionsMs = []));
  await act();
  await page.waitForTimeout(SETTLE_MS);
  return page.evaluate(() => globalThis.observed.interactionsMs);
}
