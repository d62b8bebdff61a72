import { checkSignUpCode, getOwnUser, logIn } from "@alcove/contract/accounts";
import { CODE_MISSES } from "@alcove/contract/limits";
import { createClient } from "@alcove/test-services/client";
import { signUpForm } from "@alcove/test-services/fixtures";
import { languages } from "@alcove/i18n";
import { mouse } from "../../actions/input-method.ts";
import { alertWith } from "../../actions/locators.ts";
import { enterCode, fillInProfile, requestCode, signUpOnScreen } from "../../actions/sign-up.ts";
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
    await page.getByLabel(t.codes.code).fill("00000");
    await page.getByRole("button", { name: t.codes.confirm }).click();
    await expect(page.getByText(formatText(t.codes.wrong, { misses }))).toBeVisible();
  }
  await page.getByRole("button", { name: t.codes.confirm }).click();

  await expect(alertWith(visitor, t.codes.missedTooOften)).toBeVisible();
  await expect(page.getByRole("heading", { name: step.title })).toBeVisible();
  await expect(page.getByLabel(t.codes.email, { exact: true })).toHaveValue("five-misses@example.com");
});

test("sends another code on request and accepts only the newest", async ({ visit, mailbox }) => {
  const visitor = await visit({ language: "en" });
  const { page, t } = visitor;
  const step = t.signUp;
  await visitor.open("/sign-up");
  await requestCode(visitor, mouse, "second-code@example.com");
  const { code: older } = await mailbox.waitForEmail("second-code@example.com");

  await page.getByRole("button", { name: t.codes.another }).click();
  await expect(page.getByText(t.codes.sent)).toBeVisible();
  const { code: newer } = await mailbox.waitForEmail("second-code@example.com", 2);

  await page.getByLabel(t.codes.code).fill(older!);
  await page.getByRole("button", { name: t.codes.confirm }).click();
  await expect(page.getByText(formatText(t.codes.wrong, { misses: 1 }))).toBeVisible();
  await page.getByLabel(t.codes.code).fill(newer!);
  await page.getByRole("button", { name: t.codes.confirm }).click();
  await expect(page.getByRole("heading", { name: step.profileTitle })).toBeVisible();
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

test("shows errors of the server and of the form at their fields and keeps all input", async ({
  visit,
  member,
  mailbox,
}) => {
  await member("taken-name");
  const visitor = await visit();
  visitor.allowError(/status of 400/);
  const user = signUpForm("TAKEN-name", { email: "second@example.com", sex: "male" });

  const signingUp = signUpOnScreen(visitor, mouse, mailbox, user).catch(() => null);
  const { page, t } = visitor;
  await expect(page.getByText(t.fields.user_id_taken).first()).toBeVisible({ timeout: 40_000 });
  await expect(page.getByLabel(t.profileForm.description)).toHaveValue(user.description);
  await expect(page.getByLabel(t.signUp.userId)).toBeFocused();
  await page.getByLabel(t.signUp.passwordAgain).fill("something else");
  await page.getByLabel(t.profileForm.dateOfBirth).fill(`${new Date().getFullYear() - 17}-01-01`);
  await page.getByRole("button", { name: t.signUp.create }).click();
  await expect(alertWith(visitor, t.fields.password_mismatch)).toBeVisible();
  const expectError = (label: string, error: string) =>
    expect(page.getByLabel(label, { exact: true })).toHaveAccessibleDescription(new RegExp(error));
  await expectError(t.signUp.passwordAgain, t.fields.password_mismatch);
  await expectError(t.profileForm.dateOfBirth, t.fields.too_young);
  await page.getByLabel(t.signUp.passwordAgain).fill(user.password);
  await page.getByLabel(t.profileForm.dateOfBirth).fill("1983-05-06");
  await page.getByLabel(t.signUp.userId).fill("second-name");
  await page.getByRole("button", { name: t.signUp.create }).click();

  await expect(page.getByText(t.signUp.done)).toBeVisible();
  await signingUp;
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
  await member("the-inviter");
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

  await visitor.open("/sign-up?invited_by=the-inviter");
  await page.getByRole("contentinfo").getByRole("link", { name: "Terms" }).click();
  await expect(page.getByRole("article")).toBeVisible();
  await signUpOnScreen(visitor, mouse, mailbox, signUpForm("the-invited"));

  expect(await page.evaluate(() => sessionStorage.getItem("sent"))).toBe('"the-inviter"');
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
