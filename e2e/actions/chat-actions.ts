import { expect, type Locator } from "@playwright/test";
import { drawPicture } from "../fixtures/pictures.ts";
import type { InputMethod } from "./input-method.ts";
import type { Visitor } from "../fixtures/test.ts";

/** Sends a message in the open conversation. */
export async function sendMessage({ page, t }: Visitor, input: InputMethod, text: string): Promise<void> {
  await input.type(page.getByRole("textbox", { name: t.chat.write }), text);
  await input.press(page.getByRole("button", { name: t.chat.send }));
  await expect(page.getByRole("textbox", { name: t.chat.write })).toHaveValue("");
}

/** Sends a picture without text in the open conversation. */
export async function sendPicture({ page, t }: Visitor, input: InputMethod): Promise<void> {
  const choosing = page.waitForEvent("filechooser");
  await input.press(page.getByRole("button", { name: t.chat.attach }));
  const buffer = drawPicture([30, 80, 60], [230, 200, 90], [640, 480]);
  await (await choosing).setFiles({ name: "IMG_0043.png", mimeType: "image/png", buffer });
  await expect(page.getByRole("button", { name: t.chat.removeImage })).toBeVisible();
  await input.press(page.getByRole("button", { name: t.chat.send }));
}

export function message({ page }: Visitor, text: string): Locator {
  return page.getByRole("log").getByText(text, { exact: true });
}

/** Returns the texts of the open conversation, from top to bottom. */
export function messageTexts({ page }: Visitor): Promise<string[]> {
  return page.getByRole("log").locator("p").allTextContents();
}

/** `lost` never reaches the server; the response to an `unanswered` message never reaches the page. An object is an error response. */
type Outcome =
  | "delivered"
  | "lost"
  | "unanswered"
  | { status: number; json: { code: string; error_message: string } };

/** Decides the outcome of each message that a visitor sends. Call it before the visitor opens a page. */
export async function interceptMessages(
  { context }: Visitor,
  decide: () => Outcome | Promise<Outcome>,
): Promise<void> {
  await context.route("**/dm/api/dm", async (route) => {
    const outcome = route.request().method() === "POST" ? await decide() : "delivered";
    if (outcome === "delivered") return route.continue();
    if (outcome === "unanswered") await route.fetch();
    return typeof outcome === "string" ? route.abort() : route.fulfill(outcome);
  });
}
