import { getOwnUser } from "@alcove/contract/accounts";
import { enlargeText, expectNothingCutOff } from "../../actions/a11y-checks.ts";
import { keyboard, reach } from "../../actions/input-method.ts";
import { signUpForForms, typedIn } from "../../actions/member-forms.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { screenScript } from "../../fixtures/scripts.ts";
import { expect, test } from "../../fixtures/test.ts";

test(
  "fills in each form by keyboard on a narrow phone with double text, over a reload and without a connection",
  { tag: "@long" },
  async ({ visit, member, paypal, runOperator }) => {
    test.slow();
    const { hanako, forms } = await signUpForForms({ member, paypal, runOperator }, "narrow-forms");
    const visitor = await visit({ language: "ja", device: "phone" });
    visitor.allowError(/Offline/);
    const { page, t } = visitor;
    page.on("dialog", (leaving) => void leaving.accept());
    await enlargeText(visitor);
    await openAsMember(visitor, hanako, "/setting");

    for (const { path, fill, button, done } of forms) {
      await visitor.open(path);
      const form = page.locator("form").last();
      const submit = form.getByRole("button", { name: button(visitor), exact: true });
      await fill(visitor, keyboard);
      const filled = await typedIn(form);
      const stored = await page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));
      expect(stored, `${path} stores no password`).not.toContain(hanako.password);
      await page.reload();
      await fill(visitor, keyboard);
      expect(await typedIn(form), `${path} begins anew`).toBe(filled);
      await expectNothingCutOff(visitor, path);

      await visitor.goOffline();
      await keyboard.press(submit);
      const alert = page.getByRole("alert").getByText(t.errorScreen.offline, { exact: true });
      await expect(alert, `${path} shows the error`).toBeVisible();
      expect(await typedIn(form), `${path} keeps the input`).toBe(filled);
      await expectNothingCutOff(visitor, `${path} with an error`);
      await visitor.goOnline();
      await keyboard.press(submit);
      await expect(page.getByText(done(visitor)).first(), `${path} succeeds`).toBeVisible();
    }
  },
);

test(
  "sets and removes a PIN, and saves settings at once, by keyboard on a narrow phone with double text",
  { tag: "@long" },
  async ({ visit, member }) => {
    const hanako = await member("narrow-settings");
    const visitor = await visit({ device: "phone" });
    visitor.allowError(/Offline/);
    const { page, t } = visitor;
    const saved = page.getByRole("status").getByText(t.settings.saved);
    await enlargeText(visitor);
    await openAsMember(visitor, hanako, "/setting/pin");
    for (const label of [t.privacy.pin, t.privacy.pinAgain])
      await keyboard.type(page.getByLabel(label, { exact: true }), "2468");
    await keyboard.press(page.getByRole("button", { name: t.privacy.setPin }));
    await expect(page.getByText(t.privacy.pinSet)).toBeVisible();
    await expectNothingCutOff(visitor, "the PIN");
    await keyboard.press(page.getByRole("button", { name: t.privacy.removePin }));
    const dialog = page.getByRole("dialog");
    await keyboard.type(dialog.getByLabel(t.privacy.pin), "2468");
    await expectNothingCutOff(visitor, "the removal of the PIN");
    await page.keyboard.press("Enter");
    await expect(page.getByText(t.privacy.pinRemoved)).toBeVisible();

    for (const [path, name, isOnServer] of [
      ["/setting/device", t.privacy.hideWhenLeft, false],
      ["/setting/reading", t.privacy.showReading, true],
      ["/setting/reading", t.privacy.showTyping, true],
      ["/setting/notifications", t.notifications.quietHours, true],
    ] as const) {
      await visitor.open(path);
      const control = page.getByRole("switch", { name });
      const change = async () => {
        await reach(control);
        await page.keyboard.press("Space");
      };
      await expect(control).toBeVisible();
      const before = await control.isChecked();
      if (isOnServer) {
        await visitor.goOffline();
        await change();
        await expect(page.getByRole("alert").getByText(t.errorScreen.offline), path).toBeVisible();
        await expect(control, `${path} shows the stored value`).toBeChecked({ checked: before });
        await visitor.goOnline();
      }
      await change();
      await expect(saved, path).toBeVisible();
      await expectNothingCutOff(visitor, path);
      await page.reload();
      await expect(control, `${path} is saved`).toBeChecked({ checked: !before });
    }
  },
);

test("keeps the input when the connection is lost before the login has been loaded ahead", async ({
  visit,
  member,
}) => {
  const hanako = await member("before-login-script");
  const visitor = await visit();
  visitor.allowError(/net::ERR_/);
  const { page, t } = visitor;
  const gate = Promise.withResolvers<void>();
  const script = `**${screenScript("screens/login/login")}`;
  await visitor.context.route(script, async (route) => {
    await gate.promise;
    await route.abort("internetdisconnected");
  });
  const failed = page.waitForEvent("requestfailed");
  await openAsMember(visitor, hanako, "/setting");
  const hobby = page.getByLabel(t.profileForm.hobby);
  await hobby.fill("Kites");

  gate.resolve();
  await failed;

  await page.getByRole("button", { name: t.settings.save, exact: true }).click();
  await expect(page.getByRole("status").getByText(t.settings.saved)).toBeVisible();
  expect((await hanako.call(getOwnUser, {})).user.hobby).toBe("Kites");
});
