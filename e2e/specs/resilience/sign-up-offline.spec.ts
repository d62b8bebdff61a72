import { signUpForm } from "@alcove/test-services/fixtures";
import { mouse } from "../../actions/input-method.ts";
import { alertWith } from "../../actions/locators.ts";
import { choosePicture, cropPicture, fillInSignIn, goOn } from "../../actions/sign-up.ts";
import { scriptWith } from "../../fixtures/scripts.ts";
import { expect, test } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test("keeps each form of the sign-up when the connection breaks, and goes on afterwards", async ({
  visit,
  mailbox,
}) => {
  const visitor = await visit({ device: "phone" });
  const { page, t } = visitor;
  const user = signUpForm("offline");
  const offline = alertWith(visitor, t.errorScreen.offline);
  const email = page.getByLabel(t.codes.email, { exact: true });
  const send = page.getByRole("button", { name: t.codes.send });
  const code = page.getByLabel(t.codes.code);
  const next = page.getByRole("button", { name: t.signUp.continue, exact: true });
  await visitor.open("/sign-up");
  await expect(page.getByRole("main")).toBeVisible();
  await email.fill(user.email);
  for (const name of [t.signUp.agreePrivacy, t.signUp.agreeTerms])
    await page.getByRole("checkbox", { name: formatText(name) }).check();

  await visitor.goOffline();
  await send.click();
  await expect(offline).toBeVisible();
  await expect(email).toHaveValue(user.email);
  await visitor.goOnline();
  await send.click();
  await expect(code).toBeVisible();
  await visitor.goOffline();
  const right = (await mailbox.waitForEmail(user.email)).code!;
  await code.fill(right);
  await expect(offline).toBeVisible();
  await expect(code).toHaveValue(right);
  await visitor.goOnline();
  await page.getByRole("button", { name: t.codes.confirm, exact: true }).click();
  await expect(page.getByRole("heading", { name: t.signUp.pictureTitle })).toBeVisible();
  // The page loads the code of its dialog ahead.
  await page.evaluate(async (file) => void (await import(file)), scriptWith("--nested-dialogs"));
  await visitor.goOffline();
  await choosePicture(visitor, mouse);
  await cropPicture(visitor, mouse, /^blob:/);
  await expect(page.getByText(t.profileForm.previewFailed)).toBeVisible();
  await visitor.goOnline();
  await page.getByRole("button", { name: t.profileForm.previewAgain }).click();
  await expect(page.getByRole("radio", { name: t.profileForm.asOthersSee })).toBeVisible();
  await goOn(visitor, mouse, "signInTitle");
  await fillInSignIn(visitor, mouse, user);
  await visitor.goOffline();
  await next.click();
  await expect(offline).toBeVisible();
  await expect(page.getByLabel(t.signUp.password, { exact: true })).toHaveValue(user.password);
  await visitor.goOnline();
  await goOn(visitor, mouse, "aboutTitle");

  await expect(page.getByLabel(t.profileForm.username, { exact: true })).toBeVisible();
});
