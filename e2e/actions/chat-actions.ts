import { expect, type Locator } from "@playwright/test";
import { sendDm, type SocketResponse, type SocketRequest } from "@alcove/contract/messaging";
import { drawPicture } from "../fixtures/pictures.ts";
import type { InputMethod } from "./input-method.ts";
import type { Visitor } from "../fixtures/test.ts";

/** Writes a message in the conversation that is open, and sends it. */
export async function sendMessage({ page, t }: Visitor, input: InputMethod, text: string): Promise<void> {
  await input.type(page.getByRole("textbox", { name: t.chat.write }), text);
  await input.press(page.getByRole("button", { name: t.chat.send }));
  await expect(page.getByRole("textbox", { name: t.chat.write })).toHaveValue("");
}

/** Attaches a picture from the device and sends it alone. */
export async function sendPicture({ page, t }: Visitor, input: InputMethod): Promise<void> {
  const choosing = page.waitForEvent("filechooser");
  await input.press(page.getByRole("button", { name: t.chat.attach }));
  const buffer = drawPicture([30, 80, 60], [230, 200, 90], [640, 480]);
  await (await choosing).setFiles({ name: "IMG_0043.png", mimeType: "image/png", buffer });
  await expect(page.getByRole("button", { name: t.chat.removeImage })).toBeVisible();
  await input.press(page.getByRole("button", { name: t.chat.send }));
}

/** A message of the open conversation. */
export function message({ page }: Visitor, text: string): Locator {
  return page.getByRole("log").getByText(text, { exact: true });
}

/** The texts of the open conversation, from top to bottom. */
export function messageTexts({ page }: Visitor): Promise<string[]> {
  return page.getByRole("log").locator("p").allTextContents();
}

/** The ways by which a page sends messages. */
type Transport = "live" | "post";

/**
 * What becomes of a message on its way: it goes on to the server, is refused by the test or, over the live connection, gets
 * lost and all that is said after it, or goes on to a server of which nothing more is heard.
 */
type Outcome =
  | "goes on"
  | "gets lost"
  | "is not answered"
  | { status: number; json: { code: string; error_message: string } };

/**
 * Stands between a visitor, before it opens a page, and the server: decides what becomes of each message, whichever way it
 * is sent. One that waits for its answer over the live connection for too long is posted.
 */
export async function interceptMessages(
  { context }: Visitor,
  decide: (way: Transport) => Outcome | Promise<Outcome>,
): Promise<void> {
  await context.routeWebSocket(/\/ws\/events\?/, (page) => {
    const server = page.connectToServer();
    let [goesOut, comesBack] = [true, true];
    server.onMessage((text) => comesBack && page.send(text));
    page.onMessage(async (text) => {
      const { ask } = JSON.parse(String(text)) as Partial<SocketRequest>;
      const fate = ask?.call === sendDm.name ? await decide("live") : "goes on";
      if (fate === "gets lost") goesOut = false;
      if (fate === "is not answered") comesBack = false;
      if (typeof fate === "string") {
        if (goesOut) server.send(text);
        return;
      }
      const answer = { no: ask!.no, status: fate.status, body: fate.json, request_id: "none" };
      page.send(JSON.stringify({ answer } satisfies SocketResponse));
    });
  });
  await context.route("**/dm/api/dm", async (route) => {
    const fate = route.request().method() === "POST" ? await decide("post") : "goes on";
    return typeof fate === "string" ? route.continue() : route.fulfill(fate);
  });
}
