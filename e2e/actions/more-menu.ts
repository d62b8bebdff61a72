import { expect, type Locator, type Page } from "@playwright/test";
import { type InputMethod, mouse } from "./input-method.ts";
import type { Visitor } from "../fixtures/test.ts";

/** Returns the entry of the open menu whose label is this. The line below another label may contain the same word. */
export function menuEntry(page: Page, label: string): Locator {
  return page.getByRole("menuitem", { name: new RegExp(`^${label}`) });
}

/** Chooses an entry behind "⋯" of the open conversation. */
export async function chooseInChat({ page, t }: Visitor, entry: string): Promise<void> {
  await page.getByRole("button", { name: t.chat.more }).click();
  await menuEntry(page, entry).click();
}

/** Chooses Report or Block behind "⋯" of a card or profile. */
export async function chooseFromMore(
  { page, t }: Visitor,
  entry: "report" | "block",
  input: InputMethod = mouse,
): Promise<void> {
  await input.press(page.getByRole("button", { name: t.home.more }));
  const item = menuEntry(page, t.safety[entry]);
  await expect(item).toBeVisible();
  if (input === mouse) {
    await item.click();
    return;
  }
  await expect(page.getByRole("menuitem").first()).toBeFocused();
  while (!(await item.evaluate((element) => element === document.activeElement)))
    await page.keyboard.press("ArrowDown");
  await expect(item).toBeFocused();
  await page.keyboard.press("Enter");
}
