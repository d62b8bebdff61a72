import { likeUser } from "@alcove/contract/discovery";
import { keyboard, mouse } from "../../actions/input-method.ts";
import { setPosition } from "../../actions/members.ts";
import { openAsMember, sharePosition } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test("shows that the card of the day is used, and offers an upgrade in a second tab", async ({
  visit,
  member,
  place,
}) => {
  const [hanako, taro] = await Promise.all([
    member("quota-hanako"),
    member("quota-taro", { sex: "male", username: "太郎" }),
  ]);
  await setPosition(place, taro);
  const visitor = await visit({ language: "ja", at: place, device: "phone" });
  visitor.allowError(/status of 402/);
  const { page, t } = visitor;
  await openAsMember(visitor, hanako, "");
  await sharePosition(visitor, mouse);
  const card = (of: typeof page) => of.getByRole("article", { name: "太郎" });
  await expect(card(page)).toBeVisible();
  const second = await visitor.context.newPage();
  await second.goto(visitor.url(""));
  await expect(card(second)).toBeVisible();

  await page.getByRole("button", { name: t.home.pass }).click();
  await expect(page.getByRole("heading", { name: t.home.empty_card_used })).toBeVisible();
  await second.getByRole("button", { name: t.home.like }).click();

  const modal = second.getByRole("dialog", { name: t.errors.upgrade_required });
  await expect(modal).toBeVisible();
  await expect(modal.getByRole("table")).toContainText("12,000");
  await modal.getByRole("button", { name: t.upgrade.notNow }).click();
  await expect(modal).toBeHidden();

  // On request, and when the member decides without a card.
  const request = page.getByRole("button", { name: "有料会員は1日50人までいいねできます" });
  await keyboard.press(request);
  const onRequest = page.getByRole("dialog", { name: t.errors.upgrade_required });
  for (const price of ["80", "2,500", "12,000", "10", "300", "1,500"])
    await expect(onRequest.getByRole("cell", { name: price, exact: true })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(onRequest).toBeHidden();
  await expect(request).toBeFocused();
  await page.keyboard.press("ArrowRight");
  await expect(onRequest).toBeVisible();
});

test("lets a member without cards buy a membership by keyboard and like again", async ({
  visit,
  member,
  place,
  paypal,
}) => {
  const [hanako, taro, jiro] = await Promise.all([
    member("upgrade-hanako"),
    member("upgrade-taro", { sex: "male", username: "Upgrade Taro" }),
    member("upgrade-jiro", { sex: "male" }),
  ]);
  await setPosition(place, hanako, taro);
  const visitor = await visit({ at: place });
  visitor.allowError(/status of 402/);
  visitor.allowOrigin(paypal.origin);
  const { page, t } = visitor;
  const { membership } = t;
  const button = (name: string) => page.getByRole("button", { name, exact: true });
  const heading = (name: string) => page.getByRole("heading", { name });
  await openAsMember(visitor, hanako, "");
  await expect(button(t.home.like)).toBeVisible();
  await hanako.call(likeUser, { likedId: jiro.userId }); // uses the card on another device

  await keyboard.press(button(t.home.like));
  await expect(page.getByRole("dialog", { name: t.errors.upgrade_required })).toBeVisible();
  await keyboard.press(page.getByRole("link", { name: t.upgrade.seePlans }));
  await expect(heading(membership.title)).toBeFocused();
  await keyboard.type(page.getByRole("textbox", { name: membership.year }), "0");
  await keyboard.type(page.getByRole("textbox", { name: membership.month }), "2");
  await page.keyboard.press("Enter"); // accepts the number without paying
  await page.keyboard.press("ArrowDown");
  await keyboard.press(button(membership.pay));
  await expect(heading("Payment sandbox")).toBeVisible();
  await keyboard.press(button("Approve"));
  await expect(heading(membership.thanks)).toBeVisible();
  await expect(page.getByText(/^1 month$/)).toBeVisible();
  await keyboard.press(page.getByRole("link", { name: membership.start }));
  await keyboard.press(button(t.home.like));

  await expect(
    page.getByRole("status").filter({ hasText: formatText(t.home.liked, { name: "Upgrade Taro" }) }),
  ).toHaveCount(1);
  await expect(heading(t.home.empty_all_seen)).toBeVisible();
});
