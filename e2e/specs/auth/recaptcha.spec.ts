import { mouse } from "../../actions/input-method.ts";
import { inspect } from "../../actions/a11y-checks.ts";
import { askForCode, enterCode, fillInProfile } from "../../actions/sign-up.ts";
import { expect, test } from "../../fixtures/test.ts";
import { said } from "../../fixtures/translations.ts";

test.use({ botCheck: "recaptcha" });

test("reCAPTCHA is asked at the submit of the sign-up alone, and is gone from the screen after it", async ({
  visit,
  recaptcha,
  mailbox,
}) => {
  const visitor = await visit({ language: "ja" });
  const { page, words } = visitor;
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().startsWith(recaptcha.origin)) asked.push(new URL(request.url()).pathname);
  });
  const isThere = () => page.evaluate(() => "grecaptcha" in globalThis);

  await visitor.open("/login");
  await page.getByRole("link", { name: words.login.createAccount }).click();
  await expect(page.getByText(said(words.ui.recaptcha))).toBeVisible();
  await inspect(visitor, "the sign-up that reCAPTCHA guards");
  expect(asked).toEqual([]);
  visitor.mayAsk(recaptcha.origin);
  await askForCode(visitor, mouse, "guarded@example.com");
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
  await page.getByRole("button", { name: words.signUp.create }).click();
  await expect(page.getByText(words.signUp.done)).toBeVisible();
  await expect(page).toHaveURL(visitor.address("/login"));
  // The document is left for another one, which may happen while it is asked.
  await expect.poll(() => isThere().catch(() => "on its way")).toBe(false);
  await expect(page.getByText(words.signUp.done)).toBeVisible();
  expect(asked).toHaveLength(2);
});

test("a browser that may not ask reCAPTCHA hears that the check failed, and may try again", async ({
  visit,
  recaptcha,
}) => {
  const visitor = await visit();
  const { page, words } = visitor;
  const { signUp: step, codes } = words;
  visitor.mayAsk(recaptcha.origin);
  visitor.expectComplaint(/ERR_FAILED/);
  await page.route(`${recaptcha.origin}/**`, (route) => route.abort());
  await visitor.open("/sign-up");

  await page.getByLabel(codes.email, { exact: true }).fill("blocked@example.com");
  await page.getByRole("checkbox", { name: said(step.agreePrivacy) }).check();
  await page.getByRole("checkbox", { name: said(step.agreeTerms) }).check();
  await page.getByRole("button", { name: codes.send }).click();
  await expect(page.getByRole("alert").filter({ hasText: words.fields.bot_check_failed })).toBeVisible();
  await page.unroute(`${recaptcha.origin}/**`);
  await page.getByRole("button", { name: codes.send }).click();

  await expect(page.getByRole("heading", { name: codes.title })).toBeVisible();
});

test("the reset of a password is guarded in the same way, for its own action", async ({
  visit,
  recaptcha,
}) => {
  const visitor = await visit({ language: "zh-hans" });
  const { page, words } = visitor;
  visitor.mayAsk(recaptcha.origin);
  await visitor.open("/reset-password");
  await expect(page.getByText(said(words.ui.recaptcha))).toBeVisible();
  expect(await page.evaluate(() => "grecaptcha" in globalThis)).toBe(false);
  const asking = page.waitForRequest((request) => request.url().includes("/recaptcha/token"));

  await page.getByLabel(words.codes.email, { exact: true }).fill("nobody@example.com");
  await page.getByRole("button", { name: words.codes.send }).click();

  expect(new URL((await asking).url()).searchParams.get("action")).toBe("ResetPassword");
  await expect(page.getByLabel(words.codes.code)).toBeVisible();
});
