import type { Locator } from "@playwright/test";
import { signUpForm } from "@alcove/test-services/fixtures";
import { mouse } from "../../actions/input-method.ts";
import { alertWith } from "../../actions/locators.ts";
import {
  chooseBirthDate,
  choosePicture,
  cropPicture,
  enterCode,
  fillInAbout,
  fillInProfile,
  fillInSignIn,
  goOn,
  requestCode,
} from "../../actions/sign-up.ts";
import { expect, test } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test("sends another code on request and accepts only the newest", async ({ visit, mailbox }) => {
  const visitor = await visit({ language: "en" });
  const { page, t } = visitor;
  await page.clock.install();
  await visitor.open("/sign-up");
  await requestCode(visitor, mouse, "second-code@example.com");
  const { code: older } = await mailbox.waitForEmail("second-code@example.com");

  await expect(page.getByRole("button", { name: t.codes.another })).toBeHidden();
  await page.clock.fastForward(60_000);
  await page.getByRole("button", { name: t.codes.another }).click();
  await expect(page.getByText(t.codes.sent)).toBeVisible();
  const { code: newer } = await mailbox.waitForEmail("second-code@example.com", 2);

  await page.getByLabel(t.codes.code).fill(older!);
  await expect(page.getByText("You have 4 tries left.")).toBeVisible();
  await page.getByLabel(t.codes.code).fill(newer!);
  await expect(page.getByRole("heading", { name: t.signUp.pictureTitle })).toBeVisible();
});

test("shows the server's errors above and the page's own under the field until they are corrected", async ({
  visit,
  member,
  mailbox,
}) => {
  await member("taken-name");
  const visitor = await visit();
  visitor.allowError(/status of (400|503)/);
  const { page, context, t } = visitor;
  const user = signUpForm("TAKEN-name", {
    email: "second@example.com",
    sex: "male",
    password: "password123",
  });
  const next = page.getByRole("button", { name: t.signUp.continue, exact: true });
  const userId = page.getByLabel(t.signUp.userId);
  const errorOf = (field: Locator) => field.locator("xpath=ancestor::div[label][1]");
  await visitor.open("/sign-up");
  await requestCode(visitor, mouse, user.email);
  await enterCode(visitor, mouse, mailbox, user.email);

  await next.click();
  await expect(alertWith(visitor, t.fields.icon_required)).toBeVisible();
  await choosePicture(visitor, mouse);
  await cropPicture(visitor, mouse);
  await expect(alertWith(visitor, t.fields.icon_required)).toBeHidden();
  await goOn(visitor, mouse, "signInTitle");
  await userId.fill("two words");
  await userId.press("Tab");
  await expect(userId).toHaveAccessibleDescription(t.fields.user_id_characters);
  await userId.fill("two-words");
  await expect(userId).not.toHaveAttribute("aria-invalid");
  await fillInSignIn(visitor, mouse, user);
  await next.click();

  for (const message of [t.fields.user_id_taken, t.fields.password_common])
    await expect(alertWith(visitor, message)).toBeVisible({ timeout: 15_000 });
  await expect(userId).toBeFocused();
  await expect(userId).toHaveAccessibleDescription(new RegExp(t.fields.user_id_taken));
  const texts = await errorOf(userId).innerText();
  expect(texts.indexOf(t.fields.user_id_taken)).toBeGreaterThan(texts.indexOf(t.signUp.userId));
  await userId.fill("second-name");
  await expect(page.getByText(t.fields.user_id_taken)).toBeHidden();
  await expect(page.getByText(t.fields.password_common).first()).toBeVisible();
  for (const label of [t.signUp.password, t.signUp.passwordAgain])
    await page.getByLabel(label, { exact: true }).fill("quiet-evenings-7");
  await expect(page.getByText(t.fields.password_common)).toHaveCount(0);
  await goOn(visitor, mouse, "aboutTitle");
  await next.click();
  await expect(page.getByRole("radiogroup", { name: t.profileForm.sex })).toHaveAccessibleDescription(
    t.ui.chooseOne,
  );
  await fillInAbout(visitor, mouse, user);
  const tooYoung = `${new Date().getFullYear() - 18}-12-31`;
  await chooseBirthDate(visitor, mouse, tooYoung);
  await next.click();
  await expect(
    page.getByRole("combobox", { name: t.profileForm.year, exact: true }),
  ).toHaveAccessibleDescription(t.fields.too_young);
  await chooseBirthDate(visitor, mouse, "1983-05-06");
  await goOn(visitor, mouse, "meetTitle");
  await page.getByRole("radio", { name: t.profileForm.women }).check();
  const create = page.getByRole("button", { name: t.signUp.create });

  // The server is unavailable, and then somebody else has taken the user id.
  const unavailable = { code: "service_unavailable", error_message: t.errors.service_unavailable };
  const taken = {
    code: "invalid_input",
    error_message: t.errors.invalid_input,
    validation_errors: { user_id: ["user_id_taken"] },
  };
  const answers = [
    { status: 503, json: unavailable },
    { status: 400, json: taken },
  ];
  await context.route("**/users/api/user", (route) => route.fulfill(answers.shift()), { times: 2 });
  await create.click();
  await expect(page.getByRole("alert").getByText(unavailable.error_message, { exact: true })).toBeVisible();
  await create.click();
  await expect(alertWith(visitor, t.codes.failed)).toBeVisible();
  await expect(userId).toBeFocused();
  await userId.fill("third-name");
  await goOn(visitor, mouse, "aboutTitle");
  await goOn(visitor, mouse, "meetTitle");
  await create.click();

  await expect(page.getByText(t.signUp.done)).toBeVisible();
});

test("keeps step and typed values over a reload and a step back, without passwords and picture, until success", async ({
  visit,
  mailbox,
}) => {
  const visitor = await visit({ language: "ja", device: "phone" });
  const { page, t } = visitor;
  const user = signUpForm("reloads");
  const stored = () => page.evaluate(() => sessionStorage.getItem("signUp"));
  await visitor.open("/sign-up");
  await page.getByLabel(t.codes.email, { exact: true }).fill(user.email);
  await page.getByRole("checkbox", { name: formatText(t.signUp.agreePrivacy) }).check();
  await expect.poll(stored).toContain('"privacy":true');
  await page.reload();
  await expect(page.getByLabel(t.codes.email, { exact: true })).toHaveValue(user.email);
  await expect(page.getByRole("checkbox", { name: formatText(t.signUp.agreePrivacy) })).toBeChecked();
  await page.getByRole("checkbox", { name: formatText(t.signUp.agreeTerms) }).check();
  await page.getByRole("button", { name: t.codes.send }).click();
  await page.getByLabel(t.codes.code).fill("123");
  await page.reload();
  await expect(page.getByLabel(t.codes.code)).toHaveValue("123");
  await page.getByLabel(t.codes.code).fill((await mailbox.waitForEmail(user.email)).code!);
  await expect(page.getByRole("heading", { name: t.signUp.pictureTitle })).toBeVisible();
  await fillInProfile(visitor, mouse, user);
  expect(await stored()).not.toContain(user.password);
  await page.goBack();
  await expect(page.getByRole("heading", { name: t.signUp.aboutTitle })).toBeVisible();
  await page.getByRole("button", { name: t.signUp.back }).click();
  await expect(page.getByLabel(t.signUp.password, { exact: true })).toHaveValue(user.password);
  await goOn(visitor, mouse, "aboutTitle");
  await goOn(visitor, mouse, "meetTitle");

  await page.reload();
  await expect(page.getByRole("heading", { name: t.signUp.meetTitle })).toBeVisible();
  await expect(page.getByText(t.signUp.restored)).toBeVisible();
  await expect(page.getByRole("radio", { name: t.profileForm.everyone, exact: true })).toBeChecked();
  await page.getByRole("button", { name: t.signUp.create }).click();
  await expect(page.getByRole("heading", { name: t.signUp.pictureTitle })).toBeVisible();
  await choosePicture(visitor, mouse);
  await cropPicture(visitor, mouse);
  await goOn(visitor, mouse, "signInTitle");
  await expect(page.getByLabel(t.signUp.userId)).toHaveValue(user.userId);
  for (const label of [t.signUp.password, t.signUp.passwordAgain]) {
    await expect(page.getByLabel(label, { exact: true })).toHaveValue("");
    await page.getByLabel(label, { exact: true }).fill(user.password);
  }
  await goOn(visitor, mouse, "aboutTitle");
  await expect(page.getByLabel(t.profileForm.description)).toHaveValue(user.description);
  await expect(page.getByRole("combobox", { name: t.profileForm.year, exact: true })).toHaveValue("1983");
  await goOn(visitor, mouse, "meetTitle");
  await page.getByRole("button", { name: t.signUp.create }).click();

  await expect(page.getByText(t.signUp.done)).toBeVisible();
  await expect.poll(stored).toBeNull();
});

test("forgets the form after an hour", async ({ visit }) => {
  const visitor = await visit();
  const { page, t } = visitor;
  await page.clock.install();
  await visitor.open("/sign-up");
  const email = page.getByLabel(t.codes.email, { exact: true });
  await email.fill("late@example.com");
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem("signUp"))).toContain("late@");

  await page.clock.fastForward(61 * 60_000);
  await page.reload();

  await expect(page.getByRole("button", { name: t.codes.send })).toBeVisible();
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem("signUp"))).toBeNull();
});
