import { likeUser } from "@alcove/contract/discovery";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { setPosition } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test("undoes a pass by button and by keys, and shows the same card again", async ({
  visit,
  member,
  place,
}) => {
  const [hanako, taro] = await Promise.all([
    member("undo-hanako"),
    member("undo-taro", { sex: "male", username: "太郎" }),
  ]);
  await setPosition(place, hanako, taro);
  const visitor = await visit({ language: "ja", at: place, device: "phone" });
  const { page, t } = visitor;
  const card = page.getByRole("article", { name: "太郎" });
  const undo = page.getByRole("button", { name: t.home.undo });
  const expectAnnounced = () =>
    expect(
      page.getByRole("status").filter({ hasText: formatText(t.home.undone, { name: "太郎" }) }),
    ).toHaveCount(1);
  await openAsMember(visitor, hanako, "");
  await expect(card).toBeVisible();
  await expect(undo).toHaveCount(0);

  await page.getByRole("button", { name: t.home.pass }).click();
  await expect(page.getByRole("heading", { name: t.home.empty_card_used })).toBeVisible();
  await checkAccessibility(visitor, "the empty home with an undo button");
  await undo.click();
  await expect(card).toBeVisible();
  await expectAnnounced();
  await expect(page.getByRole("heading", { name: "太郎" })).toBeFocused();
  await expect(undo).toHaveCount(0);

  for (const key of ["u", "Backspace"]) {
    await page.keyboard.press("ArrowLeft");
    await expect(page.getByRole("heading", { name: t.home.empty_card_used })).toBeVisible();
    await page.keyboard.press(key);
    await expect(card).toBeVisible();
    await expectAnnounced();
  }

  // A like comes back too. Its quota stays used, so the decision after it costs nothing.
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("heading", { name: t.home.empty_card_used })).toBeVisible();
  await undo.click();
  await expect(card).toBeVisible();
  await expectAnnounced();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("heading", { name: t.home.empty_card_used })).toBeVisible();
  expect(await taro.call(likeUser, { likedId: hanako.userId })).toEqual({ matched: true });
});
