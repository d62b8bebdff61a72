import { expect } from "@playwright/test";
import type { SignedUp } from "@alcove/test-services/client";
import type { InputMethod } from "./input-method.ts";
import type { Visitor } from "../fixtures/test.ts";

/** Opens a page as a member that logged in on this device before. */
export async function openAsMember({ page, open }: Visitor, member: SignedUp, path: string): Promise<void> {
  await page.goto("/favicon.svg"); // of the same origin, and without the app
  const { access, refresh } = member;
  await page.evaluate(
    (session) => localStorage.setItem("session", session),
    JSON.stringify({ access, refresh }),
  );
  await open(path);
}

/** Shares the position, as the prompt of the home screen asks, and says yes when the browser asks too. */
export async function sharePosition({ page, context, t }: Visitor, input: InputMethod): Promise<void> {
  const prompt = page.getByRole("dialog", { name: t.location.title });
  await expect(prompt).toContainText(t.location.request);
  await context.grantPermissions(["geolocation"]);
  await input.press(prompt.getByRole("button", { name: t.location.allow }));
  await expect(prompt).toBeHidden();
}
