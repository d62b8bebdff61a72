import { logIn } from "@alcove/contract/accounts";
import { createClient } from "@alcove/test-services/client";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";

test("follows language and pause of another device, and ends a new one that was not the member", async ({
  visit,
  member,
  server,
}) => {
  const hanako = await member("several-hanako");
  const laptop = await visit();
  const { page, t } = laptop;
  await openAsMember(laptop, hanako, "/setting/visibility");
  const pause = page.getByRole("switch", { name: t.visibility.pause });
  await expect(pause).not.toBeChecked();

  const login = { user_id: hanako.userId, password: hanako.password };
  const tokens = await createClient(server.url).call(logIn, login);
  await expect(page.getByText(t.newDevice.notMe)).toBeVisible();
  await checkAccessibility(laptop, "the line about a new device");
  const phone = await visit({ device: "phone" });
  await openAsMember(phone, { ...hanako, ...tokens }, "/setting/visibility");
  await phone.page.getByRole("switch", { name: t.visibility.pause }).check();
  await expect(pause).toBeChecked();
  await phone.page.getByRole("button", { name: t.shell.language }).click();
  await phone.page.getByRole("link", { name: "日本語" }).click();
  await expect(page).toHaveURL(/\/ja\/setting\/visibility$/);

  phone.allowError(/status of 401/);
  await page.getByRole("button", { name: "心当たりがない" }).click();
  await expect(page).toHaveURL(/\/ja\/setting\/password$/);
  await expect(page.getByText("心当たりがない")).toHaveCount(0);
  await expect(phone.page.getByLabel("ユーザーID")).toBeVisible();
});
