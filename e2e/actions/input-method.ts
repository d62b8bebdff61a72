import { expect, type Locator } from "@playwright/test";

/** How somebody works a page: with a mouse, or with the keys alone. A journey takes either. */
export interface Hands {
  press(target: Locator): Promise<void>;
  type(target: Locator, text: string): Promise<void>;
  /** Chooses an entry of a select by its words. */
  choose(target: Locator, words: string): Promise<void>;
  tick(target: Locator): Promise<void>;
  /** Fills in a date, `YYYY-MM-DD`. */
  date(target: Locator, day: string): Promise<void>;
}

export const mouse: Hands = {
  press: (target) => target.click(),
  type: (target, text) => target.fill(text),
  choose: async (target, words) => void (await target.selectOption({ label: words })),
  tick: (target) => target.check(),
  date: (target, day) => target.fill(day),
};

const MOST_STOPS = 120;

/** Moves the focus with the Tab key until it is on `target`, and looks whether one can see that it is. */
async function reach(target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  await expect(target).toBeEnabled();
  for (let stop = 0; stop < MOST_STOPS; stop++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await target.page().keyboard.press("Tab");
  }
  throw new Error(`the Tab key does not lead to ${target.toString()}`);
}

export const keys: Hands = {
  async press(target) {
    await reach(target);
    await target.page().keyboard.press("Enter");
  },
  async type(target, text) {
    await reach(target);
    await target.page().keyboard.type(text);
  },
  async choose(target, words) {
    await reach(target);
    for (let stop = 0; stop < MOST_STOPS; stop++) {
      const [chosen] = await target.evaluate((select: HTMLSelectElement) =>
        Array.from(select.selectedOptions, (option) => option.label),
      );
      if (chosen === words) return;
      await target.page().keyboard.press("ArrowDown");
    }
    throw new Error(`the arrow keys do not lead to ${words}`);
  },
  async tick(target) {
    await reach(target);
    await target.page().keyboard.press("Space");
    await expect(target).toBeChecked();
  },
  async date(target, day) {
    const [year = "", month = "", date = ""] = day.split("-");
    await reach(target);
    await target.page().keyboard.type(`${month}${date}${year}`);
    await expect(target).toHaveValue(day);
  },
};
