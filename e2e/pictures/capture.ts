import type { Browser, BrowserContext, Page } from "@playwright/test";

const COLUMNS_PX = 2440;
const GAP_PX = 16;
const SHEET_QUALITY = 58;

/** A page on a busy machine shows another font when its own comes late. Its pictures wait. */
export async function showFonts(context: BrowserContext): Promise<void> {
  await context.route(/\.css/, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replaceAll(/font-display:\s*optional/g, "font-display:block");
    await route.fulfill({ response, body });
  });
}

/** Returns a WebP picture of the page, which Playwright itself does not write, in base64. */
export async function capture(page: Page, quality: number, isWhole = false): Promise<string> {
  // Some screens show a request that does not end.
  await page.waitForLoadState("networkidle", { timeout: 3_000 }).catch(() => undefined);
  await page.evaluate(async () => {
    await document.fonts.ready;
    await Promise.all([...document.images].map((image) => image.decode().catch(() => undefined)));
  });
  const devTools = await page.context().newCDPSession(page);
  const options = { format: "webp", quality, captureBeyondViewport: isWhole } as const;
  const { cssContentSize } = await devTools.send("Page.getLayoutMetrics");
  const clip = { ...cssContentSize, scale: 1 };
  const { data } = await devTools.send("Page.captureScreenshot", isWhole ? { ...options, clip } : options);
  await devTools.detach();
  return data;
}

export function isHigherThanWindow(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollHeight > innerHeight + 1);
}

/** Returns all pictures on one, each with its name. */
export async function drawSheet(
  browser: Browser,
  pictures: readonly { name: string; webp: string }[],
  width: number,
): Promise<string> {
  const columns = Math.min(pictures.length, Math.floor(COLUMNS_PX / (width + GAP_PX)));
  const page = await browser.newPage({
    viewport: { width: columns * (width + GAP_PX) + GAP_PX, height: 400 },
  });
  const figures = pictures.map(
    ({ name, webp }) =>
      `<figure><img width="${width}" src="data:image/webp;base64,${webp}"><figcaption>${name}</figcaption></figure>`,
  );
  await page.setContent(`<style>
    body { display: grid; grid-template-columns: repeat(${columns}, ${width}px); gap: ${GAP_PX}px; margin: ${GAP_PX}px; background: #ccc }
    figure { margin: 0; font: 16px system-ui } img { display: block }
  </style>${figures.join("")}`);
  const sheet = await capture(page, SHEET_QUALITY, true);
  await page.close();
  return sheet;
}
