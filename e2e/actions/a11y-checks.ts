import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, type Page } from "@playwright/test";
import type { Language } from "@alcove/i18n";
import type { AxeResults, RunOptions } from "axe-core";
import type { Visitor } from "../fixtures/test.ts";

/** The page of any browser. */
type Viewer = Pick<Visitor, "page" | "context">;

type Theme = "light" | "dark";

const AXE = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");

/** Returns the serious and critical violations that axe finds. */
async function seriousViolations(page: Page, options: RunOptions): Promise<string[]> {
  const hasAxe = await page.evaluate(() => "axe" in window);
  if (!hasAxe) await page.evaluate(AXE);
  // Contrast is measured when nothing fades in any more.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime))
        .map(({ finished }) => finished),
    ),
  );
  return page.evaluate(async (options) => {
    type Run = (context: { exclude: string[] }, options: RunOptions) => Promise<AxeResults>;
    const { axe } = window as unknown as { axe: { run: Run } };
    // A guard of an open menu passes the focus on at once.
    const { violations } = await axe.run({ exclude: ["[data-base-ui-focus-guard]"] }, options);
    return violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(" ")} ${failureSummary}`).join(" | ")}`,
      );
  }, options);
}

/** Expects no serious violation in any theme, and no horizontal scrolling. */
export async function checkAccessibility(
  { page }: Viewer,
  screen: string,
  themes: Theme[] = ["light", "dark"],
): Promise<void> {
  for (const [position, colorScheme] of themes.entries()) {
    await page.emulateMedia({ colorScheme });
    // Another theme changes only colours.
    const runOnly = position > 0 ? { runOnly: ["color-contrast"] } : {};
    const problems = await seriousViolations(page, { resultTypes: ["violations"], ...runOnly });
    expect(problems, `${screen}, ${colorScheme}`).toEqual([]);
  }
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overflow, `${screen} can be scrolled sideways`).toBeLessThanOrEqual(0);
}

/** Doubles the text size on the narrowest phone. The returned function restores size and viewport. */
export async function enlargeText({ page, context }: Viewer): Promise<() => Promise<void>> {
  const before = page.viewportSize()!;
  const session = await context.newCDPSession(page);
  const setFonts = (standard: number, fixed: number) =>
    session.send("Page.setFontSizes", { fontSizes: { standard, fixed } });
  await page.setViewportSize({ width: 320, height: 640 });
  await setFonts(32, 32);
  return async () => {
    await setFonts(16, 13);
    await page.setViewportSize(before);
    await session.detach();
  };
}

/** Each spec has one sweep that proves each change; the others are part of the long run. */
export const SWEEPS = [
  { language: "en", device: "desktop", theme: "light" },
  { language: "ja", device: "phone", theme: "dark" },
  { language: "zh-hans", device: "phone", theme: "light" },
  { language: "zh-hant", device: "desktop", theme: "dark" },
] satisfies { language: Language; device: "phone" | "desktop"; theme: Theme }[];

export type ScreenCheck = (screen: string) => Promise<void>;

/** Checks a screen at normal size, and with double text size on a narrow phone. A missing translation fails `visit`. */
export function screenCheck(visitor: Visitor, theme: Theme): ScreenCheck {
  const { page, language } = visitor;
  const lang = { en: "en", ja: "ja", "zh-hans": "zh-Hans", "zh-hant": "zh-Hant" }[language];
  return async (screen) => {
    await expect(page.locator("html")).toHaveAttribute("lang", lang);
    await checkAccessibility(visitor, screen, [theme]);
    const backToNormal = await enlargeText(visitor);
    await expectNothingCutOff(visitor, screen);
    await backToNormal();
  };
}

/** Expects no text that its box cuts off without an ellipsis, and nothing beyond the page. */
export async function expectNothingCutOff({ page }: Viewer, screen: string): Promise<void> {
  const findProblems = () => {
    const isVisible = (element: Element) =>
      element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      !element.closest(".vh, [aria-hidden='true'], [hidden], a[href^='#']");
    const scrolls = (element: Element) => {
      for (let at: Element | null = element; at; at = at.parentElement)
        if (["auto", "scroll"].includes(getComputedStyle(at).overflowX) && at.scrollWidth > at.clientWidth)
          return true;
      return false;
    };
    const found: string[] = [];
    const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    if (wide > 0) found.push(`the page is ${wide} px too wide`);
    for (const element of document.querySelectorAll<HTMLElement>("body *")) {
      if (element instanceof SVGElement || !isVisible(element)) continue;
      if (element.clientWidth === 1 && element.clientHeight === 1) continue; // for screen readers
      const sizes = `${element.scrollWidth}x${element.scrollHeight} in ${element.clientWidth}x${element.clientHeight}`;
      const name = `${sizes} ${element.tagName.toLowerCase()}.${element.className} "${element.textContent.slice(0, 40)}"`;
      const style = getComputedStyle(element);
      const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim());
      const cutsX = ["hidden", "clip"].includes(style.overflowX) && style.textOverflow !== "ellipsis";
      const margin = 1 + (style.overflow === "clip" ? Number.parseFloat(style.overflowClipMargin) : 0); // still shown
      if (hasText && cutsX && element.scrollWidth > element.clientWidth + margin) found.push(`cut: ${name}`);
      const cutsY = ["hidden", "clip"].includes(style.overflowY) && style.textOverflow !== "ellipsis";
      if (hasText && cutsY && element.scrollHeight > element.clientHeight + margin)
        found.push(`cut: ${name}`);
      const box = element.getBoundingClientRect();
      if (
        (hasText || element.matches("input, button, textarea, select, img")) &&
        box.width > 1 &&
        !scrolls(element)
      )
        if (box.right > document.documentElement.clientWidth + 1 || box.left < -1)
          found.push(`beyond: ${name}`);
      const isControl = element.matches("button, a");
      if (
        isControl &&
        element.scrollWidth > element.clientWidth + 2 &&
        element.clientWidth > 0 &&
        !scrolls(element)
      )
        found.push(`too wide for its box: ${name}`);
    }
    return found;
  };
  // An open menu moves after the page has a new size.
  await expect.poll(() => page.evaluate(findProblems), { message: screen }).toEqual([]);
}
