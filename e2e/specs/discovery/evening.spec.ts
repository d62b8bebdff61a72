import { getNotifications } from "@alcove/contract/notifications";
import { saveFilter } from "@alcove/contract/profiles";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { fakePermission, fakePushManager } from "../../actions/fake-push-manager.ts";
import { setPosition } from "../../actions/members.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test("ends the day of a free member with a question after the first like and an evening page", async ({
  visit,
  member,
  place,
}) => {
  const [hanako, taro] = await Promise.all([
    member("evening-hanako"),
    member("evening-taro", { sex: "male", username: "太郎" }),
  ]);
  await setPosition(place, hanako, taro);
  const visitor = await visit({ language: "ja", at: place, device: "phone", hasWorker: true });
  const { page, t } = visitor;
  for (const fake of [fakePushManager, fakePermission]) await page.addInitScript(fake);
  await openAsMember(visitor, hanako, "");
  await expect(page.getByRole("article", { name: "太郎" })).toBeVisible();

  await page.getByRole("button", { name: t.home.like }).click();

  const question = page.getByRole("region", { name: t.evening.ask });
  await expect(question).toContainText("「新しいお知らせがあります。」");
  const liked = page.getByRole("link", { name: formatText(t.evening.liked, { name: "太郎" }) });
  await expect(liked).toContainText(t.days.today);
  await checkAccessibility(visitor, "the evening page with a question");
  await question.getByRole("button", { name: t.evening.askNot }).click();
  await expect(question).toBeHidden();
  expect(await hanako.call(getNotifications, {})).toMatchObject({ push_asked: true });
  await liked.click();
  await expect(page).toHaveURL(visitor.url(`/home/${taro.userId}`));
  await page.goBack();
  await expect(page.getByRole("link", { name: t.evening.addPurpose })).toBeVisible();
  await expect(question).toHaveCount(0);
});

test("turns the notice of somebody new on where nobody is left, and off in the settings", async ({
  visit,
  member,
  place,
}) => {
  const hanako = await member("nobody-hanako", { at: place });
  const visitor = await visit({ at: place, hasWorker: true });
  const { page, t } = visitor;
  for (const fake of [fakePushManager, fakePermission]) await page.addInitScript(fake);
  await openAsMember(visitor, hanako, "");
  const toggle = page.getByRole("switch", { name: t.evening.somebodyNew });
  await toggle.check();

  await expect(page.getByText(t.notifications.turnedOn)).toBeVisible();
  await expect.poll(() => hanako.call(getNotifications, {})).toMatchObject({ somebody_new: true });

  await hanako.call(saveFilter, { search_max_range: 40 });
  await page.goto(visitor.url("/setting/notifications"));
  await expect(toggle).toBeChecked();
  await expect(toggle).toHaveAccessibleName(/50 km/);
  await toggle.uncheck();
  await expect.poll(() => hanako.call(getNotifications, {})).toMatchObject({ somebody_new: false });
  await expect(toggle).toBeDisabled();
});
