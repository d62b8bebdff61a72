import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { goToPayPal, MOMENT, openPlans, payPalButton, thanks } from "../../actions/buy-membership.ts";
import { expect, test } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test("shows the right of the chosen country, and withdraws in two steps with a credit note", async ({
  visit,
  member,
  paypal,
}) => {
  const { visitor } = await openPlans({ visit, member, paypal }, "withdraws-ja", "ja");
  const { page, t } = visitor;
  const { membership } = t;
  const country = page.getByLabel(membership.country);
  const right = (key: "rightAll" | "rightUnused", days: string) =>
    page.getByText(formatText(membership[key], { days }));
  const tick = page.getByLabel(membership.startAtOnce);

  await country.selectOption("JP");
  await expect(tick).toBeHidden();
  await country.selectOption("TW");
  await expect(right("rightAll", "7")).toBeVisible();
  await country.selectOption("DE");
  await expect(page.getByText(membership.noRefund)).toBeVisible();
  await expect(right("rightAll", "14")).toBeVisible();
  await tick.check();
  await expect(right("rightUnused", "14")).toBeVisible();
  await checkAccessibility(visitor, "the right of a German buyer");
  await goToPayPal(visitor);
  await payPalButton(visitor, "Approve").click();
  await expect(thanks(visitor)).toBeVisible();

  await visitor.open("/setting/delete-account");
  await page.getByRole("link", { name: membership.goToPurchases }).click();
  await page.getByRole("link", { name: membership.withdraw }).click();
  await expect(page.getByRole("definition").nth(0)).toHaveText(/^\d{4}-\d{6}$/);
  await checkAccessibility(visitor, "the withdrawal");
  await page.getByRole("button", { name: membership.confirmWithdraw }).click();
  await expect(page.getByRole("heading", { name: membership.withdrawnTitle })).toBeVisible();
  await expect(page.getByRole("definition").nth(3)).toHaveText(MOMENT);
  await expect(page.getByText(membership.refundDone)).toBeVisible();
  await page.reload();
  await expect(page.getByText(membership.refundDone)).toBeVisible();

  await page.getByRole("link", { name: membership.creditNote }).click();
  await expect(page.getByRole("heading", { name: membership.receiptTitle })).toBeVisible();
  await expect(page.getByText(/^\d{4}-\d{6}-C$/)).toBeVisible();
  await expect(page.getByText(formatText(membership.tax, { rate: "19" })).first()).toBeVisible();
  await checkAccessibility(visitor, "receipt and credit note");
  await page.emulateMedia({ media: "print" });
  await expect(page.getByRole("button", { name: membership.print })).toBeHidden();
  await expect(page.getByRole("navigation", { name: t.shell.menu })).toBeHidden();
});
