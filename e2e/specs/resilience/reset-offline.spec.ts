import type { Locator } from "@playwright/test";
import { enlargeText, expectNothingCutOff } from "../../actions/a11y-checks.ts";
import { keyboard } from "../../actions/input-method.ts";
import { alertWith } from "../../actions/locators.ts";
import { expect, test } from "../../fixtures/test.ts";

const NEW = "eighteen yellow herons";

test("resets a password by keyboard on a narrow phone with double text, over reloads and a broken connection", async ({
  visit,
  member,
  mailbox,
}) => {
  const hanako = await member("reset-offline");
  const visitor = await visit({ language: "ja", device: "phone" });
  const { page, t } = visitor;
  const offline = alertWith(visitor, t.errorScreen.offline);
  const email = page.getByLabel(t.codes.email, { exact: true });
  const send = page.getByRole("button", { name: t.codes.send });
  const code = page.getByLabel(t.codes.code);
  const confirm = page.getByRole("button", { name: t.codes.confirm, exact: true });
  const first = page.getByLabel(t.passwords.newPassword, { exact: true });
  const again = page.getByLabel(t.passwords.newPasswordAgain);
  const save = page.getByRole("button", { name: t.passwords.save });
  await enlargeText(visitor);
  await visitor.open("/reset-password");

  await keyboard.type(email, hanako.email);
  await visitor.goOffline();
  await keyboard.press(send);
  await expect(offline).toBeVisible();
  await expect(email).toHaveValue(hanako.email);
  await visitor.goOnline();
  await keyboard.press(send);
  await expect(code).toBeVisible();
  await expectNothingCutOff(visitor, "the code's step");
  await page.reload();
  await expect(page.getByText(hanako.email)).toBeVisible();
  const right = (await mailbox.waitForEmail(hanako.email, 2)).code!;
  await visitor.goOffline();
  await keyboard.type(code, right);
  await expect(offline).toBeVisible();
  await expect(code).toHaveValue(right);
  await visitor.goOnline();
  await keyboard.press(confirm);
  await expect(first).toBeFocused();
  await keyboard.type(first, NEW);
  const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
  for (const secret of [right, NEW]) expect(stored).not.toContain(secret);
  await page.reload();
  await keyboard.type(code, right);
  await keyboard.type(first, NEW);
  await keyboard.type(again, NEW);
  await expectNothingCutOff(visitor, "the new password");
  await visitor.goOffline();
  await keyboard.press(save);
  await expect(offline).toBeVisible();
  await expect(again).toHaveValue(NEW);
  await visitor.goOnline();
  await keyboard.press(save);

  await expect(page.getByText(t.passwords.resetDone)).toBeVisible();
  await expect.poll(() => page.evaluate(() => sessionStorage.getItem("reset"))).toBeNull();
});

test("shows progress of a password reset on a slow line, and sends each form once", async ({
  visit,
  member,
  mailbox,
}) => {
  const hanako = await member("reset-slow");
  const visitor = await visit({ device: "phone" });
  const { page, context, t } = visitor;
  let calls = 0;
  let answer = Promise.withResolvers<void>();
  await context.route("**/users/api/reset-password", async (route) => {
    calls++;
    await answer.promise;
    await route.fallback();
  });
  const sendSlowly = async (button: Locator) => {
    await button.dblclick();
    await expect(button).toHaveAttribute("aria-busy", "true");
    await button.press("Enter");
    answer.resolve();
  };
  await visitor.open("/reset-password");

  await page.getByLabel(t.codes.email, { exact: true }).fill(hanako.email);
  await sendSlowly(page.getByRole("button", { name: t.codes.send }));
  const { code } = await mailbox.waitForEmail(hanako.email, 2);
  await page.getByLabel(t.codes.code).fill(code!);
  await page.getByLabel(t.passwords.newPassword, { exact: true }).fill(NEW);
  await page.getByLabel(t.passwords.newPasswordAgain).fill(NEW);
  answer = Promise.withResolvers<void>();
  await sendSlowly(page.getByRole("button", { name: t.passwords.save }));

  await expect(page.getByText(t.passwords.resetDone)).toBeVisible();
  expect(calls).toBe(3); // the email, the code and the password
});
