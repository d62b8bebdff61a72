import { getOwnUser } from "@alcove/contract/accounts";
import { setPosition } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test("explains the request for the position and sends nothing when the device denies it", async ({
  visit,
  member,
}) => {
  const hanako = await member("no-position");
  const visitor = await visit();
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "");

  const prompt = page.getByRole("dialog", { name: t.location.title });
  await expect(prompt).toContainText(t.location.request);
  await prompt.getByRole("button", { name: t.location.allow }).click();

  await expect(page.getByRole("alert").filter({ hasText: t.location.request })).toBeVisible();
  const { user } = await hanako.call(getOwnUser, {});
  expect(user).toMatchObject({ location: null, gps_updated_at: null });
});

test("does not request a fresh position again, and likes by arrow key", async ({ visit, member, place }) => {
  const [hanako, taro] = await Promise.all([
    member("arrow-hanako"),
    member("arrow-taro", { sex: "male", username: "Arrow Taro" }),
  ]);
  await setPosition(place, hanako, taro);
  const visitor = await visit({ at: place });
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "");
  await expect(page.getByRole("article", { name: "Arrow Taro" })).toBeVisible();
  await expect(page.getByRole("dialog")).toHaveCount(0);

  await page.keyboard.press("ArrowRight");

  await expect(
    page.getByRole("status").filter({ hasText: formatText(t.home.liked, { name: "Arrow Taro" }) }),
  ).toHaveCount(1);
  await expect(page.getByRole("heading", { name: t.home.empty_card_used })).toBeVisible();
});
