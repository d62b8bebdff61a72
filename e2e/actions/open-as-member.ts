import { expect } from "@playwright/test";
import type { SignedUp } from "@alcove/test-services/client";
import type { Hands } from "./input-method.ts";
import type { Visitor } from "../fixtures/test.ts";

/** Opens a page as a member that logged in on this device before. */
export async function enter({ page, open }: Visitor, member: SignedUp, path: string): Promise<void> {
  await page.goto("/favicon.svg"); // of the same origin, and without the app
  const { access, refresh } = member;
  await page.evaluate(
    (session) => localStorage.setItem("session", session),
    JSON.stringify({ access, refresh }),
  );
  await open(path);
}

/** Shares the position, as the prompt of the home screen asks, and says yes when the browser asks too. */
export async function sharePosition({ page, context, words }: Visitor, hands: Hands): Promise<void> {
  const prompt = page.getByRole("dialog", { name: words.location.title });
  await expect(prompt).toContainText(words.location.request);
  await context.grantPermissions(["geolocation"]);
  await hands.press(prompt.getByRole("button", { name: words.location.allow }));
  await expect(prompt).toBeHidden();
}
