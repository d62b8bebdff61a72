import type { Currency } from "@alcove/contract/prices";
import type { Language } from "@alcove/i18n";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import {
  createCoupon,
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
import { expect, fakeServices, test } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test.use(fakeServices);

const PURCHASES: [
  Language,
  { guessed: Currency; pays: Currency; unit: RegExp; aMonth: RegExp; sum: RegExp; atPayPal: string },
][] = [
  [
    "en",
    {
      guessed: "USD",
      pays: "USD",
      unit: /^USD\s80$/,
      aMonth: /USD\s6\.67/,
      sum: /^USD\s100$/,
      atPayPal: "100.00 USD",
    },
  ],
  [
    "ja",
    {
      guessed: "JPY",
      pays: "JPY",
      unit: /^JPY\s12,000$/,
      aMonth: /JPY\s1,000/,
      sum: /^JPY\s15,000$/,
      atPayPal: "15000 JPY",
    },
  ],
  [
    "zh-hant",
    {
      guessed: "TWD",
      pays: "TWD",
      unit: /^TWD\s2,500$/,
      aMonth: /TWD\s208/,
      sum: /^TWD\s3,100$/,
      atPayPal: "3100 TWD",
    },
  ],
  [
    "zh-hans",
    {
      guessed: "USD",
      pays: "JPY",
      unit: /^JPY\s12,000$/,
      aMonth: /JPY\s1,000/,
      sum: /^JPY\s15,000$/,
      atPayPal: "15000 JPY",
    },
  ],
];

for (const [language, { guessed, pays, unit, aMonth, sum, atPayPal }] of PURCHASES) {
  test(`buys a year and two months in ${pays} when the language is ${language}`, async ({
    visit,
    member,
    paypal,
  }) => {
    const { visitor } = await openPlans({ visit, member, paypal }, `buys-${language}`, language);
    const { page, t } = visitor;
    const { membership } = t;
    const check = language === "ja" ? checkAccessibility : async () => undefined;
    const currency = page.getByLabel(membership.currency);
    await expect(currency).toHaveValue(guessed);
    await expect(quantityField(visitor, "year")).toHaveValue("1");
    await currency.selectOption(pays);
    await expect(page.getByText(aMonth)).toBeVisible();

    await quantityField(visitor, "month").fill("3");
    await page.getByRole("button", { name: formatText(membership.less, { what: membership.month }) }).click();

    await expect(page.getByText(unit).first()).toBeVisible();
    await expect(totalPrice(visitor)).toHaveText(sum);
    await expect(page.getByText(membership.noCancel)).toBeVisible();
    await expect(page.getByText(membership.noRefund)).toBeVisible();
    await expect(page.getByText(formatText(membership.statement, { text: "ONLINE SERVICES" }))).toBeVisible();
    await expect(page.getByText(membership.sandbox)).toBeHidden();
    await expect(page.getByRole("link", { name: "hello@alcove.example" }).last()).toBeVisible();
    await check(visitor, "the plan with a total");
    await payButton(visitor).click();
    await expect(page.getByText(atPayPal)).toBeVisible();
    await payPalButton(visitor, "Approve").click();
    await expect(thanks(visitor)).toBeVisible();
    await check(visitor, "the thanks");
    await expect(page.getByRole("definition").nth(0)).toHaveText(/^1.+2/);
    await expect(page.getByRole("definition").nth(1)).toHaveText(sum);
    await expect(page.getByRole("definition").nth(2)).toHaveText(MOMENT);
    await expect(page).toHaveTitle("Alcove");

    await expectHistory(visitor, MOMENT);
    await expect(page.getByRole("row").last()).toContainText(new RegExp(sum.source.slice(1, -1)));
    await check(visitor, "the history");
    await visitor.open("/upgrade-account");
    await expect(page.locator(".badge").getByText(membership.paid, { exact: true })).toBeVisible();
    await expect(
      page
        .getByText(new RegExp(`${formatText(membership.paidUntil, { at: "" }).trim()}.*${MOMENT.source}`))
        .first(),
    ).toBeVisible();
  });
}

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
    await expect(totalPrice(visitor), typed).toHaveText(new RegExp(`^USD\\s${sum}$`));
    await expect(coupon).toBeVisible({ visible: counts === "0" });
    await expect(page.getByText(t.fields.plan_required)).toBeVisible({ visible: counts === "0" });
    await expect(field).toHaveValue(typed);
    await field.press("Tab");
    await expect(field, typed).toHaveValue(counts);
  }
  await field.press("ArrowDown");
  await expect(field).toHaveValue("119");
  await page.getByLabel(membership.currency).selectOption("TWD");
  await expect(totalPrice(visitor)).toHaveText(/^TWD\s35,700$/);

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

test("keeps plan, currency and opened coupon over a reload, and begins anew after the coupon is used", async ({
  visit,
  member,
  paypal,
  runOperator,
}) => {
  await createCoupon(runOperator, "AFTER-RELOAD");
  const { visitor } = await openPlans({ visit, member, paypal }, "reloads-plans");
  const { page, t } = visitor;
  const { membership } = t;
  const currency = page.getByLabel(membership.currency);
  await quantityField(visitor, "year").fill("2");
  await quantityField(visitor, "month").fill("3");
  await currency.selectOption("JPY");

  await page.reload();
  await expect(totalPrice(visitor)).toHaveText(/^JPY\s28,500$/);
  await expect(quantityField(visitor, "year")).toHaveValue("2");
  await openCoupon(visitor);
  await page.reload();
  await expect(payButton(visitor)).toBeHidden();
  await page.getByLabel(membership.couponCode).fill("AFTER-RELOAD");
  await page.keyboard.press("Tab");
  await page.getByRole("button", { name: membership.applyCoupon }).click();
  await expect(page.getByText(membership.couponApplied)).toBeVisible();

  await expect(quantityField(visitor, "year")).toHaveValue("1");
  await expect(currency).toHaveValue("USD");
});
