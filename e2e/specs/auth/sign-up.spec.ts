import type { Locator } from "@playwright/test";
import { checkSignUpCode, getOwnUser, logIn } from "@alcove/contract/accounts";
import { CODE_MISSES } from "@alcove/contract/limits";
import { createClient } from "@alcove/test-services/client";
import { signUpForm } from "@alcove/test-services/fixtures";
import { languages } from "@alcove/i18n";
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
  signUpOnScreen,
} from "../../actions/sign-up.ts";
import { expect, test } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

for (const language of languages) {
  test(`signs up on a phone in ${language}`, async ({ visit, mailbox, server }) => {
    const visitor = await visit({ language, device: "phone" });
    const user = signUpForm(`phone-${language}`, {
      username: "花子 🦊",
      description: "静かな夜が**好き**です。",
    });

    await signUpOnScreen(visitor, mouse, mailbox, user);

    const { userId, password, username, description } = user;
    const { access } = await createClient(server.url).call(logIn, { user_id: userId, password });
    const own = await createClient(server.url, access).call(getOwnUser, {});
    expect(own.user).toMatchObject({ username, description, icon_process: true });
  });
}

test("counts wrong codes and returns to the first step after the fifth", async ({ visit }) => {
  const visitor = await visit();
  const { page, t } = visitor;
  const { signUp: step } = t;

  await visitor.open("/sign-up");
  await page.getByLabel(t.codes.email, { exact: true }).fill("five-misses@example.com");
  await page.getByRole("checkbox", { name: formatText(step.agreePrivacy) }).check();
  await page.getByRole("checkbox", { name: formatText(step.agreeTerms) }).check();
  await page.getByRole("button", { name: t.codes.send }).click();
  for (let misses = 1; misses < CODE_MISSES; misses++) {
    await page.getByLabel(t.codes.code).fill("000000");
    const left = CODE_MISSES - misses;
    await expect(page.getByText(`You have ${left} ${left === 1 ? "try" : "tries"} left.`)).toBeVisible();
    await expect(page.getByLabel(t.codes.code)).toHaveValue("");
  }
  await page.getByLabel(t.codes.code).fill("000000");

  await expect(alertWith(visitor, t.codes.missedTooOften)).toBeVisible();
  await expect(page.getByRole("heading", { name: step.title })).toBeVisible();
  await expect(page.getByLabel(t.codes.email, { exact: true })).toHaveValue("five-misses@example.com");
});

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

test("accepts the code of its browser when others in the network used up their attempts", async ({
  visit,
  mailbox,
  server,
}) => {
  const visitor = await visit();
  const email = "under-attack@example.com";
  const stranger = createClient(server.url);
  await visitor.open("/sign-up");
  await requestCode(visitor, mouse, email);
  const { code } = await mailbox.waitForEmail(email);

  for (let miss = 1; miss <= CODE_MISSES; miss++)
    await stranger.call(checkSignUpCode, { email, code: "wrong" });

  expect(await stranger.call(checkSignUpCode, { email, code: code! })).toBe(false);
  await enterCode(visitor, mouse, mailbox, email);
});

test("shows the server's errors above and the page's own under the field until they are corrected", async ({
  visit,
  member,
  mailbox,
}) => {
  await member("taken-name");
  const visitor = await visit();
  visitor.allowError(/status of 400/);
  const { page, t } = visitor;
  const user = signUpForm("TAKEN-name", {
    email: "second@example.com",
    sex: "male",
    password: "password123",
  });
  const next = page.getByRole("button", { name: t.signUp.continue, exact: true });
  const userId = page.getByLabel(t.signUp.userId);
  const errorOf = (field: Locator) => field.locator("xpath=ancestor::div[contains(@class,'field')][1]");
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
  await page.getByRole("button", { name: t.signUp.create }).click();

  await expect(page.getByText(t.signUp.done)).toBeVisible();
});

test("leads from the last page to the field that the server rejects, with a general alert first", async ({
  visit,
  mailbox,
}) => {
  const visitor = await visit();
  visitor.allowError(/status of 400/);
  const { page, context, t } = visitor;
  const user = signUpForm("raced");
  await visitor.open("/sign-up");
  await requestCode(visitor, mouse, user.email);
  await enterCode(visitor, mouse, mailbox, user.email);
  await fillInProfile(visitor, mouse, user);
  const validation_errors = { user_id: ["user_id_taken"] };
  const json = { code: "invalid_input", error_message: t.errors.invalid_input, validation_errors };
  await context.route("**/users/api/user", (route) => route.fulfill({ status: 400, json }));

  await page.getByRole("button", { name: t.signUp.create }).click();
  await expect(alertWith(visitor, t.codes.failed)).toBeVisible();
  await expect(page.getByLabel(t.signUp.userId)).toBeFocused();
  await context.unrouteAll({ behavior: "wait" });
  await page.getByLabel(t.signUp.userId).fill("raced-2");
  await goOn(visitor, mouse, "aboutTitle");
  await goOn(visitor, mouse, "meetTitle");
  await page.getByRole("button", { name: t.signUp.create }).click();

  await expect(page.getByText(t.signUp.done)).toBeVisible();
});

test("keeps step and typed values over a reload, without passwords and picture, until success", async ({
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

test("leads back through the pages with the browser's back button", async ({ visit, mailbox }) => {
  const visitor = await visit({ device: "phone" });
  const { page, t } = visitor;
  const user = signUpForm("goes-back");
  await visitor.open("/sign-up");
  await requestCode(visitor, mouse, user.email);
  await enterCode(visitor, mouse, mailbox, user.email);
  await fillInProfile(visitor, mouse, user);

  await page.goBack();
  await expect(page.getByRole("heading", { name: t.signUp.aboutTitle })).toBeVisible();
  await page.getByRole("button", { name: t.signUp.back }).click();
  await expect(page.getByRole("heading", { name: t.signUp.signInTitle })).toBeVisible();
  await expect(page.getByLabel(t.signUp.password, { exact: true })).toHaveValue(user.password);
});

test("shows an error at the email field when the address is disposable", async ({ visit }) => {
  const visitor = await visit({ language: "zh-hant" });
  const { page, t } = visitor;
  await visitor.open("/sign-up");

  await page.getByLabel(t.codes.email, { exact: true }).fill("somebody@mailinator.com");
  await page.getByRole("checkbox", { name: formatText(t.signUp.agreePrivacy) }).check();
  await page.getByRole("checkbox", { name: formatText(t.signUp.agreeTerms) }).check();
  await page.getByRole("button", { name: t.codes.send }).click();

  await expect(alertWith(visitor, t.fields.email_disposable)).toBeVisible();
  await expect(page.getByLabel(t.codes.email, { exact: true })).toHaveAttribute("aria-invalid", "true");
});

test("sends the inviter with the sign-up after a visit to the terms", async ({ visit, member, mailbox }) => {
  await member("who-invites");
  const visitor = await visit();
  const { page } = visitor;
  // The browser's protocol does not show forms with files, so the page records the field.
  await page.addInitScript(() => {
    const send = globalThis.fetch;
    globalThis.fetch = (resource, init) => {
      if (init?.body instanceof FormData && init.body.has("invited_by_user_id"))
        sessionStorage.setItem("sent", JSON.stringify(init.body.get("invited_by_user_id")));
      return send(resource, init);
    };
  });

  await visitor.open("/sign-up?invited_by=who-invites");
  await visitor.open("/tos");
  await expect(page.getByRole("article").first()).toBeVisible();
  await signUpOnScreen(visitor, mouse, mailbox, signUpForm("the-invited"));

  expect(await page.evaluate(() => sessionStorage.getItem("sent"))).toBe('"who-invites"');
});

test("keeps the form when the server is unavailable, and signs up on the next try", async ({
  visit,
  mailbox,
}) => {
  const visitor = await visit();
  visitor.allowError(/status of 503/);
  const { page, context, t } = visitor;
  const user = signUpForm("second-try");
  await visitor.open("/sign-up");
  await requestCode(visitor, mouse, user.email);
  await enterCode(visitor, mouse, mailbox, user.email);
  await fillInProfile(visitor, mouse, user);
  const code = "service_unavailable";
  const json = { code, error_message: t.errors[code] };
  const create = page.getByRole("button", { name: t.signUp.create });

  await context.route("**/users/api/user", (route) => route.fulfill({ status: 503, json }));
  await create.click();
  await expect(page.getByRole("alert").getByText(t.errors[code], { exact: true })).toBeVisible();
  await context.unrouteAll({ behavior: "wait" });
  await create.click();

  await expect(page.getByText(t.signUp.done)).toBeVisible();
});
