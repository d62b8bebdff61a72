import { checkAccessibility } from "../../actions/a11y-checks.ts";
import {
  expectHistory,
  MOMENT,
  openCoupon,
  openPlans,
  payButton,
  payPalButton,
  quantityField,
  thanks,
  totalPrice,
} from "../../actions/buy-membership.ts";
import { alertWith } from "../../actions/locators.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { expect, test } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test("buys a year and two months in yen when the language is Japanese", async ({ visit, member, paypal }) => {
  const { visitor } = await openPlans({ visit, member, paypal }, "buys-ja", "ja");
  const { page, t } = visitor;
  const { membership } = t;
  await expect(page.getByLabel(membership.currency)).toHaveValue("JPY");
  await expect(quantityField(visitor, "year")).toHaveValue("1");
  await expect(page.getByText(/1,000円/)).toBeVisible();

  await quantityField(visitor, "month").fill("3");
  await page.getByRole("button", { name: membership.lessMonth }).click();

  await expect(page.getByText(/^12,000円$/).first()).toBeVisible();
  await expect(totalPrice(visitor)).toHaveText(/^15,000円$/);
  await expect(page.getByText(membership.noCancel)).toBeVisible();
  await expect(page.getByText(membership.noRefund)).toBeVisible();
  await expect(page.getByText(formatText(membership.statement, { text: "ONLINE SERVICES" }))).toBeVisible();
  await expect(page.getByText(membership.sandbox)).toBeHidden();
  await expect(page.getByRole("link", { name: "hello@alcove.example" }).last()).toBeVisible();
  await checkAccessibility(visitor, "the plan with a total");
  await payButton(visitor).click();
  await expect(page.getByText("15000 JPY")).toBeVisible();
  await payPalButton(visitor, "Approve").click();
  await expect(thanks(visitor)).toBeVisible();
  await checkAccessibility(visitor, "the thanks");
  await expect(page.getByRole("definition").nth(0)).toHaveText(/^1.+2/);
  await expect(page.getByRole("definition").nth(1)).toHaveText(/^15,000円$/);
  await expect(page.getByRole("definition").nth(2)).toHaveText(MOMENT);
  await expect(page).toHaveTitle("Alcove");

  await expectHistory(visitor, MOMENT);
  await expect(page.getByRole("row").nth(1)).toContainText(/15,000円/);
  await checkAccessibility(visitor, "the history");
  await visitor.open("/upgrade-account");
  await expect(page.locator("h1 + span")).toHaveText(membership.paid);
  const paidUntil = formatText(membership.paidUntil, { at: "" }).trim();
  await expect(page.getByText(new RegExp(`${paidUntil}.*${MOMENT.source}`)).first()).toBeVisible();
});

test("counts a quantity as zero when it is no whole number, and shows the coupon form only then", async ({
  visit,
  member,
  paypal,
}) => {
  const { visitor } = await openPlans({ visit, member, paypal }, "types-anything");
  const { page, t } = visitor;
  const { membership } = t;
  const coupon = page.getByLabel(membership.couponCode);
  const field = quantityField(visitor, "month");
  await expect(coupon).toBeHidden();
  await quantityField(visitor, "year").fill("0");

  for (const [typed, counts, sum] of [
    ["-", "0", "0"],
    ["1.5", "0", "0"],
    ["1e9", "0", "0"],
    ["-3", "0", "0"],
    ["１２", "12", "120"],
    ["999", "120", "1,200"],
  ] as const) {
    await field.fill(typed);
    await expect(totalPrice(visitor), typed).toHaveText(new RegExp(`^\\$${sum}$`));
    await expect(coupon).toBeVisible({ visible: counts === "0" });
    await expect(page.getByText(t.fields.plan_required)).toBeVisible({ visible: counts === "0" });
    await expect(field).toHaveValue(typed);
    await field.press("Tab");
    await expect(field, typed).toHaveValue(counts);
  }
  await field.press("ArrowDown");
  await expect(field).toHaveValue("119");
  await page.getByLabel(membership.currency).selectOption("TWD");
  await expect(totalPrice(visitor)).toHaveText(/^NT\$35,700$/);

  await field.fill("0");
  await payButton(visitor).click();
  await expect(alertWith(visitor, t.fields.plan_required)).toBeVisible();
  await expect(quantityField(visitor, "year")).toBeFocused();
  await quantityField(visitor, "year").press("ArrowUp");
  await expect(alertWith(visitor, t.fields.plan_required)).toBeHidden();
  await openCoupon(visitor);
  await expect(payButton(visitor)).toBeHidden();
  await page.getByRole("button", { name: membership.noCoupon }).click();
  await expect(quantityField(visitor, "year")).toHaveValue("1");
});

test("shows that payments are a sandbox", { tag: "@long" }, async ({ visit, member, serverWith }) => {
  const hanako = await member("plays-shop");
  const { url: serverUrl } = await serverWith({ PAYPAL_SANDBOX: "on" });
  const visitor = await visit({ serverUrl });
  const { page, t } = visitor;

  await openAsMember(visitor, hanako, "/upgrade-account");

  await expect(page.getByText(t.membership.sandbox)).toBeVisible();
  await expect(page.getByRole("button", { name: t.membership.paySandbox })).toBeEnabled();
});
