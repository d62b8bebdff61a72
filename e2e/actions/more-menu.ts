import { expect } from "@playwright/test";
import { type InputMethod, mouse } from "./input-method.ts";
import type { Visitor } from "../fixtures/test.ts";

/** Chooses an entry behind "⋯" of the open conversation. */
export async function chooseInChat({ page, t }: Visitor, entry: string): Promise<void> {
  await page.getByRole("button", { name: t.chat.more }).click();
  await page.getByRole("menuitem", { name: entry }).click();
}

/** Chooses Report or Block behind "⋯" of a card or profile. */
export async function chooseFromMore(
  { page, t }: Visitor,
  entry: "report" | "block",
  input: InputMethod = mouse,
): Promise<void> {
  await input.press(page.getByRole("button", { name: t.home.more }));
  const item = page.getByRole("menuitem", { name: t.safety[entry] });
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
