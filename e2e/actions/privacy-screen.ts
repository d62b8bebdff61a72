import type { Page } from "@playwright/test";

/** Shows or leaves the privacy screen: Esc twice, 200 ms apart by the timestamps, however slow the machine is. */
export async function pressEscapeTwice({ page }: { page: Page }): Promise<void> {
  await page.keyboard.press("Shift"); // separates them from earlier presses
  const keyboard = await page.context().newCDPSession(page);
  const escape = { key: "Escape", code: "Escape", windowsVirtualKeyCode: 27 };
  const now = Date.now() / 1_000;
  for (const timestamp of [now - 0.2, now]) {
    await keyboard.send("Input.dispatchKeyEvent", { type: "rawKeyDown", timestamp, ...escape });
    await keyboard.send("Input.dispatchKeyEvent", { type: "keyUp", timestamp, ...escape });
  }
  await keyboard.detach();
}
