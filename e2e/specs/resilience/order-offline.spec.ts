import { enlargeText, expectNothingCutOff } from "../../actions/a11y-checks.ts";
import { openPlans, payButton, quantityField, totalPrice } from "../../actions/buy-membership.ts";
import { keyboard } from "../../actions/input-method.ts";
import { alertWith } from "../../actions/locators.ts";
import { expect, test } from "../../fixtures/test.ts";

test("keeps a chosen plan without a connection and over a reload, and orders once on a slow line", async ({
  visit,
  member,
  paypal,
}) => {
  const { visitor } = await openPlans({ visit, member, paypal }, "slow-order", "ja");
  visitor.allowError(/Offline/);
  const { page, t } = visitor;
  await enlargeText(visitor);
  const [years, months] = [quantityField(visitor, "year"), quantityField(visitor, "month")];
  const expectPlan = async () => {
    await expect(years).toHaveValue("2");
    await expect(months).toHaveValue("3");
    await expect(totalPrice(visitor)).toHaveText(/\$190/);
  };
  await keyboard.type(years, "2");
  await keyboard.type(months, "3");
  await page.getByLabel(t.membership.currency).selectOption("USD");
  await expectPlan();

  await visitor.goOffline();
  await keyboard.press(payButton(visitor));
  await expect(alertWith(visitor, t.errorScreen.offline)).toBeVisible();
  await expectPlan();
  await expectNothingCutOff(visitor, "the plans with an error");
  await visitor.goOnline();
  await page.reload();
  await expectPlan();
  const gate = Promise.withResolvers<void>();
  let orders = 0;
  await page.route("**/create-order", async (route) => {
    orders++;
    await gate.promise;
    await route.continue();
  });
  await payButton(visitor).dblclick();
  await expect(payButton(visitor)).toHaveAttribute("aria-busy", "true");
  await expectPlan();
  gate.resolve();

  await expect(page.getByRole("heading", { name: "Payment sandbox" })).toBeVisible();
  expect(orders).toBe(1);
});
