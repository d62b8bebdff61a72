import { AxeBuilder } from "@axe-core/playwright";
import { expect } from "@playwright/test";
import type { Visitor } from "./stage.ts";

type Theme = "light" | "dark";

/** Looks at what is shown: nothing serious for who cannot see it, and nothing wider than the page. */
export async function inspect(
  { page }: Visitor,
  what: string,
  themes: Theme[] = ["light", "dark"],
): Promise<void> {
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
    const grave = violations
      .filter(({ impact }) => impact === "serious" || impact === "critical")
      .map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ target, failureSummary }) => `${target.join(" ")} ${failureSummary}`).join(" | ")}`,
      );
    expect(grave, `${what}, ${colorScheme}`).toEqual([]);
  }
  const overhang = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(overhang, `${what} can be scrolled sideways`).toBeLessThanOrEqual(0);
}
