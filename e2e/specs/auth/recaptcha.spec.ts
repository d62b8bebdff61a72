import { mouse } from "../../actions/input-method.ts";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { requestCode, enterCode, fillInProfile } from "../../actions/sign-up.ts";
import { expect, test } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test.use({ botCheck: "recaptcha" });

test("reCAPTCHA is asked at the submit of the sign-up alone, and is gone from the screen after it", async ({
  visit,
  recaptcha,
  mailbox,
}) => {
  const visitor = await visit({ language: "ja" });
  const { page, t } = visitor;
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().startsWith(recaptcha.origin)) asked.push(new URL(request.url()).pathname);
  });
  const isThere = () => page.evaluate(() => "grecaptcha" in globalThis);

  await visitor.open("/login");
  await page.getByRole("link", { name: t.login.createAccount }).click();
  await expect(page.getByText(formatText(t.ui.recaptcha))).toBeVisible();
  await checkAccessibility(visitor, "the sign-up that reCAPTCHA guards");
  expect(asked).toEqual([]);
  visitor.allowOrigin(recaptcha.origin);
  await requestCode(visitor, mouse, "guarded@example.com");
  expect(asked).toEqual(["/recaptcha/api.js", "/recaptcha/token"]);
  expect(await isThere()).toBe(true);

  await enterCode(visitor, mouse, mailbox, "guarded@example.com");
  await fillInProfile(visitor, mouse, {
    userId: "guarded",
    email: "guarded@example.com",
    password: "seventeen violet walruses",
    username: "Guarded",
    sex: "female",
    description: "I like quiet evenings.",
  });
  await page.getByRole("button", { name: t.signUp.create }).click();
  await expect(page.getByText(t.signUp.done)).toBeVisible();
  await expect(page).toHaveURL(visitor.url("/login"));
  // The document is left for another one, which may happen while it is asked.
  await expect.poll(() => isThere().catch(() => "on its way")).toBe(false);
  await expect(page.getByText(t.signUp.done)).toBeVisible();
  expect(asked).toHaveLength(2);
});

test("a browser that may not ask reCAPTCHA hears that the check failed, and may try again", async ({
  visit,
  recaptcha,
}) => {
  const visitor = await visit();
  const { page, t } = visitor;
  const { signUp: step, codes } = t;
  visitor.allowOrigin(recaptcha.origin);
  visitor.allowError(/ERR_FAILED/);
  await page.route(`${recaptcha.origin}/**`, (route) => route.abort());
  await visitor.open("/sign-up");

  await page.getByLabel(codes.email, { exact: true }).fill("blocked@example.com");
  await page.getByRole("checkbox", { name: formatText(step.agreePrivacy) }).check();
  await page.getByRole("checkbox", { name: formatText(step.agreeTerms) }).check();
  await page.getByRole("button", { name: codes.send }).click();
  await expect(page.getByRole("alert").filter({ hasText: t.fields.bot_check_failed })).toBeVisible();
  await page.unroute(`${recaptcha.origin}/**`);
  await page.getByRole("button", { name: codes.send }).click();

  await expect(page.getByRole("heading", { name: codes.title })).toBeVisible();
});

test("the reset of a password is guarded in the same way, for its own action", async ({
  visit,
  recaptcha,
}) => {
  const visitor = await visit({ language: "zh-hans" });
  const { page, t } = visitor;
  visitor.allowOrigin(recaptcha.origin);
  await visitor.open("/reset-password");
  await expect(page.getByText(formatText(t.ui.recaptcha))).toBeVisible();
  expect(await page.evaluate(() => "grecaptcha" in globalThis)).toBe(false);
  const asking = page.waitForRequest((request) => request.url().includes("/recaptcha/token"));

  await page.getByLabel(t.codes.email, { exact: true }).fill("nobody@example.com");
  await page.getByRole("button", { name: t.codes.send }).click();

  expect(new URL((await asking).url()).searchParams.get("action")).toBe("ResetPassword");
  await expect(page.getByLabel(t.codes.code)).toBeVisible();
});
