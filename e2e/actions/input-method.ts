import { expect, type Locator } from "@playwright/test";

/** A test takes the mouse or the keyboard. */
export interface InputMethod {
  press(target: Locator): Promise<void>;
  type(target: Locator, text: string): Promise<void>;
  /** Chooses an option of a select by its label. */
  choose(target: Locator, label: string): Promise<void>;
  tick(target: Locator): Promise<void>;
  /** Fills in a date, `YYYY-MM-DD`. */
  date(target: Locator, day: string): Promise<void>;
}

export const mouse: InputMethod = {
  press: (target) => target.click(),
  type: (target, text) => target.fill(text),
  choose: async (target, label) => void (await target.selectOption({ label })),
  tick: (target) => target.check(),
  date: (target, day) => target.fill(day),
};

const MAX_STEPS = 120;

/** Moves the focus to the target with the Tab key. */
async function reach(target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  await expect(target).toBeEnabled();
  for (let step = 0; step < MAX_STEPS; step++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await target.page().keyboard.press("Tab");
  }
  throw new Error(`the Tab key does not lead to ${target.toString()}`);
}

export const keyboard: InputMethod = {
  async press(target) {
    await reach(target);
    await target.page().keyboard.press("Enter");
  },
  async type(target, text) {
    await reach(target);
    await target.page().keyboard.type(text);
  },
  async choose(target, label) {
    await reach(target);
    for (let step = 0; step < MAX_STEPS; step++) {
      const [chosen] = await target.evaluate((select: HTMLSelectElement) =>
        Array.from(select.selectedOptions, (option) => option.label),
      );
      if (chosen === label) return;
      await target.page().keyboard.press("ArrowDown");
    }
    throw new Error(`the arrow keys do not lead to ${label}`);
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
