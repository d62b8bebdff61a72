import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { keyboard } from "../../actions/input-method.ts";
import { setPosition } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";

test("adds a person to the never-see list, who does not see the member when they join later", async ({
  visit,
  member,
  place,
}) => {
  const hanako = await member("never-hanako");
  await setPosition(place, hanako);
  const visitor = await visit({ language: "zh-hant", at: place, device: "phone" });
  const { page, t } = visitor;
  const { neverSee, settings } = t;
  await openAsMember(visitor, hanako, "/setting");
  await page.getByRole("link", { name: settings.neverSee }).click();
  await expect(page.getByRole("heading", { name: neverSee.none })).toBeVisible();

  const add = page.getByRole("button", { name: neverSee.add });
  await keyboard.press(add);
  await expect(page.getByText(t.fields.required).first()).toBeVisible();
  await expect(page.getByLabel(neverSee.who)).toBeFocused();
  await page.getByLabel(neverSee.who).fill("@");
  await add.click();
  await expect(page.getByText(t.fields.email_or_user_id).first()).toBeVisible();
  await page.getByLabel(neverSee.who).fill("Mother In-Law");
  await add.click();
  await expect(page.getByText(t.fields.email_or_user_id).first()).toBeVisible();
  await page.getByLabel(neverSee.who).fill("Never-Taro@Example.com\nsomebody_else");
  await page.getByLabel(neverSee.note).fill("👩‍👩‍👧".repeat(13));
  await add.click();
  await expect(page.getByText(t.fields.too_long).first()).toBeVisible();
  await page.getByLabel(neverSee.note).fill("妹妹");
  await add.click();
  await expect(page.getByRole("dialog")).toContainText("Never-Taro@Example.com");
  await page.getByRole("dialog").getByRole("button", { name: neverSee.confirm }).click();
  await expect(page.getByText(neverSee.added)).toBeVisible();
  await expect(page.getByRole("listitem").filter({ hasText: neverSee.email })).toHaveCount(1);
  await expect(page.getByRole("listitem").filter({ hasText: neverSee.handle })).toHaveCount(1);
  await expect(page.getByLabel(neverSee.who)).toHaveValue("");
  await checkAccessibility(visitor, "the never-see list");
  await expect(page.getByRole("button", { name: neverSee.remove })).toHaveCount(0);
  await expect(page.getByRole("listitem").filter({ hasText: "妹妹" })).toHaveCount(2);
  const mistake = page.getByRole("listitem").filter({ hasText: neverSee.handle });
  await mistake.getByRole("button", { name: neverSee.undo }).click();
  await expect(page.getByText(neverSee.undone)).toBeVisible();
  await expect(mistake).toHaveCount(0);
  await page.getByRole("button", { name: neverSee.changeNote }).click();
  await page.getByRole("dialog").getByLabel(neverSee.note).fill("他的妹妹");
  await page.getByRole("dialog").getByRole("button", { name: neverSee.saveNote }).click();
  await expect(page.getByRole("listitem").filter({ hasText: "他的妹妹" })).toHaveCount(1);

  const taro = await member("never-taro", { sex: "male", email: "never-taro@example.com" });
  await setPosition(place, taro);
  await visitor.open(`/home/${taro.userId}`);
  await expect(page.getByRole("heading", { level: 1, name: "never-taro" })).toBeVisible();
  const named = await visit({ language: "zh-hant", at: place, device: "phone" });
  named.allowError(/status of 404/);
  await openAsMember(named, taro, "");
  await expect(named.page.getByRole("heading", { name: t.home.empty_nobody_in_range })).toBeVisible();
  await named.open(`/home/${hanako.userId}`);
  await expect(named.page.getByText(t.errors.user_not_found)).toBeVisible();
});
