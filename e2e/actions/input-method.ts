import { expect, type Locator } from "@playwright/test";

/** A test takes the mouse or the keyboard. */
export interface InputMethod {
  press(target: Locator): Promise<void>;
  type(target: Locator, text: string): Promise<void>;
  /** Chooses an option of a select by its label. */
  choose(target: Locator, label: string): Promise<void>;
  tick(target: Locator): Promise<void>;
}

export const mouse: InputMethod = {
  press: (target) => target.click(),
  type: (target, text) => target.fill(text),
  choose: async (target, label) => void (await target.selectOption({ label })),
  tick: (target) => target.check(),
};

const MAX_STEPS = 120;

/** Moves the focus to the target with the Tab key. */
export async function reach(target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  await expect(target).toBeEnabled();
  for (let step = 0; step < MAX_STEPS; step++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await target.page().keyboard.press("Tab");
  }
  throw new Error(`the Tab key does not lead to ${target.toString()}`);
}

/** The Tab key leads to one button of a radio group, the arrow keys to the others. */
async function pickRadio(target: Locator): Promise<void> {
  const name = await target.getAttribute("name");
  const { keyboard } = target.page();
  const isInGroup = () =>
    target.page().evaluate((of) => document.activeElement?.getAttribute("name") === of, name);
  for (let step = 0; step < MAX_STEPS && !(await isInGroup()); step++) await keyboard.press("Tab");
  await keyboard.press("Space");
  for (let step = 0; step < MAX_STEPS && !(await target.isChecked()); step++)
    await keyboard.press("ArrowRight");
  await expect(target).toBeChecked();
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
    if ((await target.getAttribute("type")) === "radio") return pickRadio(target);
    await reach(target);
    await target.page().keyboard.press("Space");
    await expect(target).toBeChecked();
  },
};
