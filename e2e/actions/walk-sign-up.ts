import { expect } from "@playwright/test";
import { signUpForm } from "@alcove/test-services/fixtures";
import type { Mailbox } from "@alcove/test-services/mail";
import type { Visitor } from "../fixtures/test.ts";
import { mouse } from "./input-method.ts";
import {
  choosePicture,
  cropPicture,
  enterCode,
  fillInAbout,
  fillInSignIn,
  goOn,
  requestCode,
} from "./sign-up.ts";

/** Shows each page of the sign-up, also with errors, until the last one, which is not sent. */
export async function walkSignUp(
  visitor: Visitor,
  mailbox: Mailbox,
  userId: string,
  check: (screen: string) => Promise<void>,
): Promise<void> {
  const { page, t } = visitor;
  const user = signUpForm(userId);
  const next = page.getByRole("button", { name: t.signUp.continue, exact: true });
  await visitor.open("/sign-up");
  await requestCode(visitor, mouse, user.email);
  await page.getByLabel(t.codes.code).fill("00000000");
  await expect(page.getByLabel(t.codes.code)).toHaveAttribute("aria-invalid", "true");
  await check("the code's step");
  await enterCode(visitor, mouse, mailbox, user.email);
  await check("the page of the picture");
  await next.click();
  await expect(page.getByRole("alert").filter({ hasText: t.fields.icon_required })).toBeVisible();
  await expect(page.getByRole("button", { name: t.profileForm.choosePicture })).toBeFocused();
  await check("the page of the picture with an error");

  await choosePicture(visitor, mouse);
  const layer = page.getByRole("dialog", { name: t.crop.title });
  await expect(layer).toBeVisible();
  await check("the crop dialog");
  const confirm = layer.getByRole("button", { name: t.crop.confirm });
  await confirm.scrollIntoViewIfNeeded();
  await expect(confirm).toBeInViewport({ ratio: 0.95 });
  await cropPicture(visitor, mouse);
  await goOn(visitor, mouse, "signInTitle");
  await next.click();
  await check("the page of the user id with errors");
  await fillInSignIn(visitor, mouse, user);
  await goOn(visitor, mouse, "aboutTitle");
  await page.getByText(t.signUp.addMore).click();
  await page.getByLabel(t.profileForm.height).fill("9999");
  await page.getByLabel("LINE").fill("javascript:alert(1)");
  await next.click();
  await expect(page.getByLabel("LINE")).toHaveAccessibleDescription(t.fields.url_invalid);
  await check("the page about the member with errors");
  await page.getByLabel(t.profileForm.height).clear();
  await page.getByLabel("LINE").clear();
  await fillInAbout(visitor, mouse, user);
  await goOn(visitor, mouse, "meetTitle");
  await check("the page of the wishes");
}
