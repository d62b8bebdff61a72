import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { mouse } from "../../actions/input-method.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { logInOnScreen } from "../../actions/sign-up.ts";
import { expect, test } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test("signs out another device, which shows the login at once", async ({ visit, member }) => {
  const hanako = await member("two-devices");
  const phone = await visit({ language: "ja", device: "phone" });
  const desktop = await visit({ language: "zh-hant" });
  desktop.allowError(/status of 401/);
  await openAsMember(phone, hanako, "/setting");
  await desktop.open("/setting/filter");
  await logInOnScreen(desktop, mouse, hanako);
  await expect(desktop.page.getByRole("button", { name: desktop.t.settings.save })).toBeVisible();
  const { page, t } = phone;

  await page.getByRole("link", { name: t.settings.devices }).click();
  await expect(page.getByRole("listitem").filter({ hasText: t.devices.current })).toHaveCount(1);
  await checkAccessibility(phone, "the devices");
  const name = formatText(t.devices.name, { system: "Linux", browser: "Chrome" });
  await page.getByRole("button", { name: formatText(t.devices.signOutName, { name }) }).click();
  const question = page.getByRole("dialog", { name: formatText(t.devices.confirmLogout, { name }) });
  await checkAccessibility(phone, "the confirmation to sign out a device");
  await question.getByRole("button", { name: t.devices.cancel }).click();
  await expect(question).toBeHidden();
  await page.getByRole("button", { name: formatText(t.devices.signOutName, { name }) }).click();
  await question.getByRole("button", { name: t.devices.signOut }).click();

  await expect(page.getByRole("status").filter({ hasText: t.devices.signedOut })).toBeVisible();
  await expect(page.getByText(t.devices.onlyThis)).toBeVisible();
  await expect(page.getByRole("heading", { name: t.settings.devices })).toBeFocused();
  await expect(desktop.page.getByLabel(desktop.t.login.userId)).toBeVisible();
  await expect(desktop.page).toHaveURL(/\/setting\/filter$/);
});
