import { signUpForm } from "@alcove/test-services/fixtures";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { mouse } from "../../actions/input-method.ts";
import {
  enterCode,
  fillInProfile,
  logInOnScreen,
  requestCode,
  requireBotCheckOnce,
} from "../../actions/sign-up.ts";
import { expect, test as base } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

const test = base.extend({
  async visit({ visit, serverWith, recaptcha }, use) {
    const { url: serverUrl } = await serverWith({ BOT_CHECK: "recaptcha", ...recaptcha.variables });
    await use((options) => visit({ ...options, serverUrl }));
  },
});

test("loads reCAPTCHA only when the sign-up is submitted, and removes it afterwards", async ({
  visit,
  mailbox,
  recaptcha,
}) => {
  const user = signUpForm("guarded");
  const visitor = await visit({ language: "ja" });
  const { page, t } = visitor;
  const requests: string[] = [];
  page.on("request", (request) => {
    if (request.url().startsWith(recaptcha.origin)) requests.push(new URL(request.url()).pathname);
  });
  const isLoaded = () => page.evaluate(() => "grecaptcha" in globalThis);

  await visitor.open("/login");
  // The document of the login forbids the script, so the sign-up reloads.
  const reloaded = page.waitForEvent("load");
  await page.getByRole("link", { name: t.login.createAccount }).click();
  await reloaded;
  await expect(page.getByText(formatText(t.ui.recaptcha))).toBeVisible();
  await checkAccessibility(visitor, "the sign-up with reCAPTCHA");
  expect(requests).toEqual([]);
  visitor.allowOrigin(recaptcha.origin);
  await requestCode(visitor, mouse, user.email);
  expect(requests).toEqual(["/recaptcha/api.js", "/recaptcha/token"]);
  expect(await isLoaded()).toBe(true);

  await enterCode(visitor, mouse, mailbox, user.email);
  await fillInProfile(visitor, mouse, user);
  await page.getByRole("button", { name: t.signUp.create }).click();
  await expect(page.getByText(t.signUp.done)).toBeVisible();
  await expect(page).toHaveURL(visitor.url("/login"));
  // The navigation to another document may interrupt the evaluation.
  await expect.poll(() => isLoaded().catch(() => "navigating")).toBe(false);
  await expect(page.getByText(t.signUp.done)).toBeVisible();
  expect(requests).toHaveLength(2);
});

test(
  "shows that the check failed when reCAPTCHA is blocked, and allows another try",
  { tag: "@long" },
  async ({ visit, recaptcha }) => {
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
  },
);

test(
  "checks a password reset with its own reCAPTCHA action",
  { tag: "@long" },
  async ({ visit, recaptcha }) => {
    const visitor = await visit({ language: "zh-hans" });
    const { page, t } = visitor;
    visitor.allowOrigin(recaptcha.origin);
    await visitor.open("/reset-password");
    await expect(page.getByText(formatText(t.ui.recaptcha))).toBeVisible();
    expect(await page.evaluate(() => "grecaptcha" in globalThis)).toBe(false);
    const tokenRequest = page.waitForRequest((request) => request.url().includes("/recaptcha/token"));

    await page.getByLabel(t.codes.email, { exact: true }).fill("nobody@example.com");
    await page.getByRole("button", { name: t.codes.send }).click();

    expect(new URL((await tokenRequest).url()).searchParams.get("action")).toBe("ResetPassword");
    await expect(page.getByLabel(t.codes.code)).toBeVisible();
  },
);

test("checks a login in place with reCAPTCHA in a frame, and keeps the form", async ({
  visit,
  member,
  recaptcha,
}) => {
  const user = await member("framed");
  const visitor = await visit({ language: "zh-hant" });
  const { page, t } = visitor;
  visitor.allowOrigin(recaptcha.origin);
  visitor.allowError(/status of 429/);
  const sent = await requireBotCheckOnce(visitor);
  await visitor.open("/setting");
  expect(await page.evaluate(() => "grecaptcha" in globalThis)).toBe(false);
  const tokenRequest = page.waitForRequest((request) => request.url().includes("/recaptcha/token"));

  await logInOnScreen(visitor, mouse, user);

  expect(new URL((await tokenRequest).url()).searchParams.get("action")).toBe("Login");
  await expect(page.getByRole("navigation", { name: t.shell.menu })).toBeVisible();
  expect(sent.map(({ recaptchaToken }) => typeof recaptchaToken)).toEqual(["object", "string"]);
  expect(await page.evaluate(() => "grecaptcha" in globalThis)).toBe(false);
  await expect(page.locator("iframe")).toHaveCount(0);
});
