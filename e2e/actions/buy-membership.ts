import { expect, type Locator } from "@playwright/test";
import { captureOrder, createOrder } from "@alcove/contract/membership";
import { type Currency, priceOf } from "@alcove/contract/prices";
import type { Client, SignedUpMember } from "@alcove/test-services/client";
import type { FakePayPal } from "@alcove/test-services/paypal";
import type { Language } from "@alcove/i18n";
import type { Fixtures, Visitor } from "../fixtures/test.ts";
import { openAsMember } from "./open-as-member.ts";

/** A moment as screens show it. */
export const MOMENT = /\d{4}\/\d\d\/\d\d-\d\d:\d\d:\d\d/;

/** Buys a year through the API and returns the order's id. The inviter earns USD 16. */
export async function buyYear(
  paypal: FakePayPal,
  buyer: Client,
  currency: Currency = "JPY",
): Promise<string> {
  const plan = { year: 1, month: 0 };
  const order = { currency, price: priceOf(currency, plan), ...plan };
  const { order_id, paypal_order_id } = await buyer.call(createOrder, order);
  await paypal.approve(paypal_order_id);
  await buyer.call(captureOrder, { order_id });
  return order_id;
}

/** Creates a coupon of three months for one member, valid until tomorrow. */
export async function createCoupon(runOperator: Fixtures["runOperator"], id: string): Promise<void> {
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
  const options = ["--id", id, "--month", "3", "--max-uses", "1", "--expires-at", tomorrow];
  await runOperator("coupons", "create", ...options);
}

/** Signs up a member and opens the plans in a browser that may send requests to PayPal. */
export async function openPlans(
  { visit, member, paypal }: Pick<Fixtures, "visit" | "member" | "paypal">,
  userId: string,
  language: Language = "en",
): Promise<{ visitor: Visitor; buyer: SignedUpMember }> {
  const buyer = await member(userId);
  const device = language === "en" ? "desktop" : "phone";
  const visitor = await visit({ language, device });
  visitor.allowOrigin(paypal.origin);
  await openAsMember(visitor, buyer, "/upgrade-account");
  await expect(visitor.page.getByRole("heading", { name: visitor.t.membership.title })).toBeVisible();
  const menu = visitor.page.getByRole("navigation", { name: visitor.t.shell.menu });
  const settings = menu.getByRole("link", { name: visitor.t.shell.settings });
  if (device === "desktop") await expect(settings).toHaveAttribute("aria-current", "page");
  else await expect(menu).toBeHidden();
  return { visitor, buyer };
}

export function quantityField({ page, t }: Visitor, unit: "year" | "month"): Locator {
  return page.getByRole("textbox", { name: t.membership[unit], exact: true });
}

export function payButton({ page, t }: Visitor): Locator {
  return page.getByRole("button", { name: t.membership.pay });
}

export function totalPrice({ page, t }: Visitor): Locator {
  return page.getByRole("paragraph").filter({ hasText: t.membership.total }).getByRole("strong");
}

/** The heading that states the outcome of a payment. */
export function outcome({ page }: Visitor, title: string): Locator {
  return page.getByRole("heading", { name: title });
}

export function thanks({ page, t }: Visitor): Locator {
  return page.getByRole("heading", { name: t.membership.thanks });
}

/** A button on PayPal's page. */
export function payPalButton(
  { page }: Visitor,
  name: "Approve" | "Cancel" | "Decline the next capture",
): Locator {
  return page.getByRole("button", { name, exact: true });
}

export async function openCoupon({ page, t }: Visitor): Promise<Locator> {
  await page.getByRole("button", { name: t.membership.haveCoupon }).click();
  return page.getByLabel(t.membership.couponCode);
}

/** Chooses months and pays, which leads to PayPal's page. */
export async function goToPayPal(visitor: Visitor, { month = 1 } = {}): Promise<void> {
  await quantityField(visitor, "month").fill(String(month));
  await quantityField(visitor, "year").fill("0");
  await payButton(visitor).click();
  await expect(visitor.page.getByRole("heading", { name: "Payment sandbox" })).toBeVisible();
}

/** Opens the purchase history and expects exactly these rows. */
export async function expectHistory(visitor: Visitor, ...rows: RegExp[]): Promise<void> {
  await visitor.open("/purchase-history");
  // The row of links has one cell.
  const shown = visitor.page.getByRole("row").filter({ has: visitor.page.getByRole("cell").nth(1) });
  await expect(shown).toHaveCount(rows.length);
  for (const [at, row] of rows.entries()) await expect(shown.nth(at)).toContainText(row);
}
