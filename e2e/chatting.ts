import { expect, type Locator } from "@playwright/test";
import { drawPicture } from "./picture.ts";
import type { Hands } from "./hands.ts";
import type { Visitor } from "./stage.ts";

/** Writes a message in the conversation that is open, and sends it. */
export async function write({ page, words }: Visitor, hands: Hands, text: string): Promise<void> {
  await hands.type(page.getByRole("textbox", { name: words.chat.write }), text);
  await hands.press(page.getByRole("button", { name: words.chat.send }));
  await expect(page.getByRole("textbox", { name: words.chat.write })).toHaveValue("");
}

/** Attaches a picture from the device and sends it alone. */
export async function sendPicture({ page, words }: Visitor, hands: Hands): Promise<void> {
  const choosing = page.waitForEvent("filechooser");
  await hands.press(page.getByRole("button", { name: words.chat.attach }));
  const buffer = drawPicture([30, 80, 60], [230, 200, 90], [640, 480]);
  await (await choosing).setFiles({ name: "IMG_0043.png", mimeType: "image/png", buffer });
  await expect(page.getByRole("button", { name: words.chat.removeImage })).toBeVisible();
  await hands.press(page.getByRole("button", { name: words.chat.send }));
}

/** A message of the open conversation. */
export function message({ page }: Visitor, text: string): Locator {
  return page.getByRole("log").getByText(text, { exact: true });
}

/** The texts of the open conversation, from top to bottom. */
export function texts({ page }: Visitor): Promise<string[]> {
  return page.getByRole("log").locator("p").allTextContents();
}
