import { signUpForm } from "@alcove/test-services/fixtures";
import { keyboard, mouse } from "../../actions/input-method.ts";
import { alertWith } from "../../actions/locators.ts";
import {
  choosePicture,
  cropPicture,
  enterCode,
  fillInProfile,
  fillInSignIn,
  goOn,
  requestCode,
  signUpOnScreen,
} from "../../actions/sign-up.ts";
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

test("shows progress on a slow line, and sends each form once", async ({ visit, mailbox }) => {
  const visitor = await visit();
  const { page, context, t } = visitor;
  const user = signUpForm("slow-line");
  const sent: string[] = [];
  let answer = Promise.withResolvers<void>();
  const slowDown = async () => {
    sent.length = 0;
    answer = Promise.withResolvers<void>();
  };
  await visitor.open("/sign-up");
  await requestCode(visitor, mouse, user.email);
  await enterCode(visitor, mouse, mailbox, user.email);
  await context.route(/\/users\/api\/(user|sign-up-icon-preview)$/, async (route) => {
    sent.push(route.request().url());
    await answer.promise;
    await route.fallback();
  });

  await slowDown();
  await choosePicture(visitor, mouse);
  await page.getByRole("button", { name: t.crop.confirm }).click();
  await expect(page.getByRole("progressbar", { name: t.profileForm.previewLoading })).toBeVisible();
  await page.getByRole("button", { name: t.profileForm.cancelPicture, exact: true }).click();
  await expect(page.getByRole("progressbar")).toBeHidden();
  await expect(page.getByRole("button", { name: t.profileForm.choosePicture })).toBeVisible();
  answer.resolve();
  await fillInProfile(visitor, mouse, user);
  await slowDown();
  const create = page.getByRole("button", { name: t.signUp.create });
  await create.dblclick();
  await expect(create).toHaveAttribute("aria-busy", "true");
  await create.press("Enter");
  answer.resolve();

  await expect(page.getByText(t.signUp.done)).toBeVisible();
  expect(sent).toHaveLength(1);
});

test("signs up by keyboard alone at 320 px", async ({ visit, mailbox }) => {
  const visitor = await visit({ language: "ja" });
  await visitor.page.setViewportSize({ width: 320, height: 568 });

  await signUpOnScreen(visitor, keyboard, mailbox, signUpForm("keys-only"));
});
