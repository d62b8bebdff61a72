import { likeUser } from "@alcove/contract/discovery";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { setPosition } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";

test("pauses and shows the member again, shows them to the liked only, and takes back a like", async ({
  visit,
  member,
  place,
}) => {
  const [hanako, taro] = await Promise.all([
    member("visible-hanako"),
    member("visible-taro", { sex: "male", username: "Taro" }),
  ]);
  await setPosition(place, hanako, taro);
  const visitor = await visit({ language: "ja", at: place, device: "phone" });
  const { page, t } = visitor;
  const row = page.getByRole("link", { name: t.settings.visibility });
  const pause = page.getByRole("switch", { name: t.visibility.pause });
  await openAsMember(visitor, hanako, "/setting");
  await expect(row).toContainText(t.visibility.lineAll);
  await row.click();
  await pause.check();
  await expect(page.getByText(t.settings.saved)).toBeVisible();
  await page.getByLabel(t.visibility.until).fill("2001-01-01");
  await expect(page.getByText(t.fields.date_passed)).toBeVisible();
  await checkAccessibility(visitor, "a pause with a day that is over");

  await visitor.open("");
  await expect(page.getByRole("heading", { name: t.visibility.pausedTitle })).toBeVisible();
  await checkAccessibility(visitor, "home in a pause");
  await page.getByRole("button", { name: t.visibility.endPause }).click();
  await expect(page.getByRole("article", { name: "Taro" })).toBeVisible();

  await visitor.open("/setting/visibility");
  await expect(pause).not.toBeChecked();
  await page.getByRole("switch", { name: t.visibility.onlyLiked }).check();
  await expect(page.getByText(t.settings.saved)).toBeVisible();
  await hanako.call(likeUser, { likedId: taro.userId });
  await visitor.open("/setting/likes");
  await page.getByRole("button", { name: t.settings.takeBack }).click();
  await expect(page.getByText(t.settings.noLikes)).toBeVisible();
  await visitor.open("/setting");
  await expect(row).toContainText(t.visibility.lineOnlyLiked);
});
