import { expect } from "@playwright/test";
import type { SignedUpMember } from "@alcove/test-services/client";
import type { InputMethod } from "./input-method.ts";
import type { Visitor } from "../fixtures/test.ts";

/** Opens a page as a member with a stored session. */
export async function openAsMember(
  { page, open }: Visitor,
  member: SignedUpMember,
  path: string,
): Promise<void> {
  await page.goto("/favicon.svg"); // same origin, without the app
  const { access, refresh } = member;
  await page.evaluate((session) => {
    localStorage.setItem("session", session);
    localStorage.setItem("device", "of an earlier login");
  }, JSON.stringify({ access, refresh }));
  await open(path);
}

/** Accepts the request for the position on the home screen and in the browser. */
export async function sharePosition({ page, context, t }: Visitor, input: InputMethod): Promise<void> {
  const prompt = page.getByRole("dialog", { name: t.location.title });
  await expect(prompt).toContainText(t.location.request);
  await context.grantPermissions(["geolocation"]);
  await input.press(prompt.getByRole("button", { name: t.location.allow }));
  await expect(prompt).toBeHidden();
}
