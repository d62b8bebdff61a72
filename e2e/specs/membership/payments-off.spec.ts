import { languages } from "@alcove/i18n";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { createCoupon } from "../../actions/buy-membership.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";

test.use({ payments: "off" });

test("shows in every language that payments are off, and still applies a coupon", async ({
  visit,
  member,
  runOperator,
}) => {
  test.slow();
  const hanako = await member("buys-nothing");
  await createCoupon(runOperator, "GIFT");

  for (const language of languages) {
    const visitor = await visit({ language, device: "phone" });
    const { page, t } = visitor;
    const { referral, membership, errors } = t;
    await openAsMember(visitor, hanako, "/upgrade-account");
    await expect(page.getByText(errors.payments_off)).toBeVisible();
    await expect(page.getByRole("table")).toHaveCount(2);
    await expect(page.getByRole("link", { name: "hello@alcove.example" }).last()).toBeVisible();
    for (const name of [membership.pay, membership.paySandbox])
      await expect(page.getByRole("button", { name })).toHaveCount(0);
    if (language === "ja") {
      await checkAccessibility(visitor, "plans that cannot be bought", ["light"]);
      await page.getByLabel(membership.couponCode).fill("gift");
      await page.keyboard.press("Tab");
      await page.getByRole("button", { name: membership.applyCoupon }).click();
      await expect(page.getByText(membership.couponApplied)).toBeVisible();
    }

    await visitor.open("/brokerage-fee");
    await expect(page.getByText(errors.transfers_off)).toBeVisible();
    await expect(page.getByLabel(referral.email)).toBeDisabled();
    await expect(page.getByRole("button", { name: referral.transfer, exact: true })).toBeDisabled();
    if (language === "ja") await checkAccessibility(visitor, "a transfer that cannot be sent", ["dark"]);
  }
});
