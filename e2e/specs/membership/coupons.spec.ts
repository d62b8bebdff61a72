import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { createCoupon, MOMENT, openCoupon, openPlans } from "../../actions/buy-membership.ts";
import { keyboard } from "../../actions/input-method.ts";
import { alertWith } from "../../actions/locators.ts";
import { expect, test } from "../../fixtures/test.ts";

test("checks a coupon when its field loses focus, and applies it once", async ({
  visit,
  member,
  paypal,
  runOperator,
}) => {
  await createCoupon(runOperator, "GIFT-ONE");
  const { visitor } = await openPlans({ visit, member, paypal }, "has-a-coupon");
  visitor.allowError(/status of (404|422)/);
  const { page, t } = visitor;
  const { membership, errors } = t;
  await expect(page.locator("h1 + span")).toHaveText(membership.free);
  const code = await openCoupon(visitor);
  const apply = page.getByRole("button", { name: membership.applyCoupon });
  await expect(apply).toBeDisabled();

  await keyboard.type(code, "gift-none");
  await expect(page.getByText(errors.coupon_not_found)).toHaveCount(0);
  await page.keyboard.press("Tab");
  await expect(alertWith(visitor, errors.coupon_not_found)).toBeVisible();
  await expect(code).not.toBeFocused();
  await expect(apply).toBeDisabled();
  await checkAccessibility(visitor, "an unknown coupon", ["light"]);
  await code.fill(" ｇift-one ");
  await expect(page.getByText(errors.coupon_not_found)).toHaveCount(0);
  await code.press("Enter");
  await expect(page.getByText("Valid: 3 months").first()).toBeVisible();
  await checkAccessibility(visitor, "a valid coupon", ["dark"]);
  // Disabled between check and use.
  const json = { code: "coupon_expired", error_message: errors.coupon_expired };
  await page.route("**/coupon/use", (route) => route.fulfill({ status: 422, json }), { times: 1 });
  await keyboard.press(apply);
  await expect(alertWith(visitor, errors.coupon_expired)).toBeVisible();
  await expect(apply).toBeDisabled();
  await code.fill("gift-one");
  await code.press("Tab");
  await expect(apply).toBeEnabled();
  await keyboard.press(apply);

  await expect(page.getByText(membership.couponApplied)).toBeVisible();
  await expect(page.getByRole("heading", { name: membership.titlePaid, level: 1 })).toBeFocused();
  await expect(page.locator("h1 + span")).toHaveText(membership.paid);
  await expect(page.getByText(MOMENT).first()).toBeVisible();
  await expect(code).toBeHidden();
  await openCoupon(visitor);
  await code.fill("gift-one");
  await code.press("Tab");
  await expect(page.getByText(errors.coupon_used).first()).toBeVisible();
});
