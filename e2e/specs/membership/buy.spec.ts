import type { Locator, Page } from "@playwright/test";
import { logOut } from "@alcove/contract/accounts";
import { captureOrder, createOrder } from "@alcove/contract/membership";
import type { Currency } from "@alcove/contract/prices";
import { signUp, type SignedUp } from "@alcove/test-services/client";
import { personOf } from "@alcove/test-services/fixtures";
import type { Language } from "@alcove/i18n";
import { createCoupon } from "../../actions/payments.ts";
import { openAsMember } from "../../actions/open-as-member.ts";
import { keyboard, mouse } from "../../actions/input-method.ts";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import { logInOnScreen } from "../../actions/sign-up.ts";
import { expect, test, type Fixtures, type Visitor } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test.use({ payments: "stand-in" });
test.afterEach(async ({ paypal }) => {
  await paypal!.calmDown();
  await paypal!.sendWebhooksTo(null);
});

const MOMENT = /\d{4}\/\d\d\/\d\d-\d\d:\d\d:\d\d/;
const ORDER_ID = /order_id=([0-9a-f-]{36})/;
const CANCELLED = /cancelled=([0-9a-f-]{36})&token=(\w+)/;

type Cast = Pick<Fixtures, "visit" | "mailbox" | "server" | "paypal">;

/** Somebody who looks at the plans, and whose browser may ask PayPal. */
async function shopper(
  { visit, mailbox, server, paypal }: Cast,
  userId: string,
  language: Language = "en",
): Promise<{ visitor: Visitor; member: SignedUp }> {
  const member = await signUp(server.url, mailbox, personOf(userId));
  const visitor = await visit({ language, device: language === "en" ? "desktop" : "phone" });
  visitor.allowOrigin(paypal!.origin);
  await openAsMember(visitor, member, "/upgrade-account");
  await expect(visitor.page.getByRole("heading", { name: visitor.t.membership.title })).toBeVisible();
  const menu = visitor.page.getByRole("navigation", { name: visitor.t.shell.menu });
  await expect(menu.getByRole("link", { name: visitor.t.shell.settings })).toHaveAttribute(
    "aria-current",
    "page",
  );
  return { visitor, member };
}

const quantity = ({ page, t }: Visitor, of: "year" | "month") =>
  page.getByRole("textbox", { name: t.membership[of], exact: true });
const payButton = ({ page, t }: Visitor) => page.getByRole("button", { name: t.membership.pay });
const total = ({ page, t }: Visitor) =>
  page.getByRole("paragraph").filter({ hasText: t.membership.total }).getByRole("strong");
const note = ({ page }: Visitor, title: string) => page.getByRole("heading", { name: title });
const thanks = ({ page, t }: Visitor) => page.getByRole("heading", { name: t.membership.thanks });
const alertOf = ({ page }: Visitor, text: string) => page.getByRole("alert").filter({ hasText: text });
const atPayPal = (page: Page, choice: "Approve" | "Cancel" | "Decline the next capture"): Locator =>
  page.getByRole("button", { name: choice, exact: true });

/** From the plans to PayPal's page. */
async function goToPayPal(visitor: Visitor, { month = 1 } = {}): Promise<void> {
  await quantity(visitor, "month").fill(String(month));
  await payButton(visitor).click();
  await expect(visitor.page.getByRole("heading", { name: "Payment sandbox" })).toBeVisible();
}

/** How often each order of the history is there. */
async function expectHistory(visitor: Visitor, ...rows: RegExp[]): Promise<void> {
  await visitor.open("/purchase-history");
  const shown = visitor.page.getByRole("row").filter({ has: visitor.page.getByRole("cell") });
  await expect(shown).toHaveCount(rows.length);
  for (const [at, row] of rows.entries()) await expect(shown.nth(at)).toContainText(row);
}

const WAYS: [Language, { guessed: Currency; pays: Currency; unit: RegExp; sum: RegExp; there: string }][] = [
  ["en", { guessed: "USD", pays: "USD", unit: /^USD\s80$/, sum: /^USD\s100$/, there: "100.00 USD" }],
  ["ja", { guessed: "JPY", pays: "JPY", unit: /^JPY\s12,000$/, sum: /^JPY\s15,000$/, there: "15000 JPY" }],
  ["zh-hant", { guessed: "TWD", pays: "TWD", unit: /^TWD\s2,500$/, sum: /^TWD\s3,100$/, there: "3100 TWD" }],
  [
    "zh-hans",
    { guessed: "USD", pays: "JPY", unit: /^JPY\s12,000$/, sum: /^JPY\s15,000$/, there: "15000 JPY" },
  ],
];

for (const [language, { guessed, pays, unit, sum, there }] of WAYS) {
  test(`a year and two months are bought in ${language}, in ${pays}`, async ({
    visit,
    mailbox,
    server,
    paypal,
  }) => {
    const { visitor } = await shopper({ visit, mailbox, server, paypal }, `buys-${language}`, language);
    const { page, t } = visitor;
    const { membership } = t;
    const look = language === "ja" ? checkAccessibility : async () => undefined;
    await expect(page.getByRole("radio", { name: guessed })).toBeChecked();
    await expect(page.getByText(t.fields.plan_required)).toBeVisible();
    await expect(payButton(visitor)).toBeDisabled();
    await page.getByRole("radio", { name: pays }).check();

    await page.getByRole("button", { name: formatText(membership.more, { what: membership.year }) }).click();
    await quantity(visitor, "month").fill("3");
    await page.getByRole("button", { name: formatText(membership.less, { what: membership.month }) }).click();

    await expect(page.getByText(unit)).toBeVisible();
    await expect(total(visitor)).toHaveText(sum);
    await expect(page.getByText(membership.noCancel)).toBeVisible();
    await expect(page.getByText(membership.noRefund)).toBeVisible();
    await expect(page.getByText(formatText(membership.statement, { text: "ONLINE SERVICES" }))).toBeVisible();
    await expect(page.getByText(membership.sandbox)).toBeHidden();
    await expect(page.getByText("hello@alcove.example").first()).toBeVisible();
    await look(visitor, "the plan with a total");
    await payButton(visitor).click();
    await expect(page.getByText(there)).toBeVisible();
    await atPayPal(page, "Approve").click();
    await expect(thanks(visitor)).toBeVisible();
    await look(visitor, "the thanks");
    await expect(page.getByRole("definition").nth(0)).toHaveText(/^1.+2/);
    await expect(page.getByRole("definition").nth(1)).toHaveText(sum);
    await expect(page.getByRole("definition").nth(2)).toHaveText(MOMENT);
    await expect(page).toHaveTitle("Alcove");

    await expectHistory(visitor, MOMENT);
    await expect(page.getByRole("row").last()).toContainText(new RegExp(sum.source.slice(1, -1)));
    await look(visitor, "the history");
    await visitor.open("/upgrade-account");
    await expect(page.getByRole("heading", { name: membership.paid, exact: true })).toBeVisible();
    await expect(
      page.getByText(new RegExp(`${formatText(membership.paidUntil, { at: "" }).trim()}.*${MOMENT.source}`)),
    ).toBeVisible();
  });
}

test("a quantity that is no whole number counts as none, and the coupon's form is there only while nothing is chosen", async ({
  visit,
  mailbox,
  server,
  paypal,
}) => {
  const { visitor } = await shopper({ visit, mailbox, server, paypal }, "types-anything");
  const { page, t } = visitor;
  const coupon = page.getByLabel(t.membership.couponCode);
  const field = quantity(visitor, "month");
  await expect(coupon).toBeVisible();

  for (const [typed, counts, sum] of [
    ["-", "0", "0"],
    ["1.5", "0", "0"],
    ["1e9", "0", "0"],
    ["-3", "0", "0"],
    ["１２", "12", "120"],
    ["999", "120", "1,200"],
  ] as const) {
    await field.fill(typed);
    await expect(total(visitor), typed).toHaveText(new RegExp(`^USD\\s${sum}$`));
    await expect(coupon).toBeVisible({ visible: counts === "0" });
    await expect(field).toHaveValue(typed);
    await field.press("Tab");
    await expect(field, typed).toHaveValue(counts);
  }
  await field.press("ArrowDown");
  await expect(field).toHaveValue("119");
  await page.getByRole("radio", { name: "TWD" }).check();
  await expect(total(visitor)).toHaveText(/^TWD\s35,700$/);
});

test("who goes back, is declined or comes back twice pays once, for the plan that was chosen", async ({
  visit,
  mailbox,
  server,
  paypal,
}) => {
  const { visitor } = await shopper({ visit, mailbox, server, paypal }, "pays-once");
  const { page, t } = visitor;
  const { membership } = t;
  await goToPayPal(visitor, { month: 4 });

  await atPayPal(page, "Cancel").click();
  await expect(note(visitor, membership.cancelled)).toBeVisible();
  await expect(quantity(visitor, "month")).toHaveValue("4");
  await checkAccessibility(visitor, "a payment that was cancelled", ["light"]);
  await payButton(visitor).click();
  await atPayPal(page, "Decline the next capture").click();
  await expect(note(visitor, membership.declined)).toBeVisible();
  await expect(quantity(visitor, "month")).toHaveValue("4");
  await checkAccessibility(visitor, "a payment that was declined", ["dark"]);
  const back = page.url();
  await page.getByRole("button", { name: membership.otherWay }).click();
  await atPayPal(page, "Approve").click();
  await expect(thanks(visitor)).toBeVisible();
  await page.goto(back);
  await expect(thanks(visitor)).toBeVisible();
  await page.reload();
  await expect(thanks(visitor)).toBeVisible();

  await expectHistory(visitor, /4 months.*USD\s40/);
  const taken = (await paypal!.book()).filter(({ reference }) => reference === ORDER_ID.exec(back)![1]);
  expect(taken).toHaveLength(1);
});

test("the address of a cancelled payment says what has become of its order since, and never asks for a second payment", async ({
  visit,
  mailbox,
  server,
  paypal,
}) => {
  const { visitor, member } = await shopper({ visit, mailbox, server, paypal }, "pays-after-all");
  visitor.allowError(/status of (400|404|503)/);
  const { page, t } = visitor;
  const { membership } = t;
  await goToPayPal(visitor);
  await atPayPal(page, "Cancel").click();
  await expect(note(visitor, membership.cancelled)).toBeVisible();
  const address = page.url();
  const [, order_id = "", token = ""] = CANCELLED.exec(address)!;

  // It is paid in another window, and the bank takes its time.
  await paypal!.approve(token);
  await paypal!.wish({ call: "capture order", mood: "pending" });
  await member.ask(captureOrder, { order_id });
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
  await expect(note(visitor, formatText(membership.transaction, { status: "PENDING" }))).toBeVisible();
  await expect(note(visitor, membership.cancelled)).toBeHidden();
  await expect(payButton(visitor)).toBeHidden();
  await page.context().route("**/users/api/order?**", (route) => route.fulfill({ status: 503, json: {} }));
  await page.goto(address);
  await expect(note(visitor, membership.unknown)).toBeVisible();
  await expect(payButton(visitor)).toBeHidden();
  await page.context().unroute("**/users/api/order?**");

  await paypal!.sendWebhooksTo(`${server.url}/webhooks/paypal`);
  await settle(paypal!, order_id);
  await expect(async () => {
    await page.goto(address);
    await expect(thanks(visitor)).toBeVisible({ timeout: 1_000 });
  }).toPass();
  await expectHistory(visitor, /1 month.*USD\s10/);

  // Of an order that is another's, or nobody's, there is nothing to say.
  const stranger = await signUp(server.url, mailbox, personOf("strange-canceller"));
  const wish = { currency: "USD", price: 10, year: 0, month: 1 } as const;
  const { order_id: strangers } = await stranger.ask(createOrder, wish);
  for (const id of [strangers, "none"]) {
    await visitor.open(`/upgrade-account?cancelled=${id}`);
    await expect(payButton(visitor)).toBeVisible();
    await expect(page.getByText(membership.nothingPaid)).toBeHidden();
    await expect(page.getByText(t.errors.order_not_found)).toBeHidden();
  }
});

test("money that is on its way, or may be, is said to be so, and arrives", async ({
  visit,
  mailbox,
  server,
  paypal,
}) => {
  const { visitor } = await shopper({ visit, mailbox, server, paypal }, "waits-for-money");
  visitor.allowError(/status of 503/);
  const { page, t } = visitor;
  const { membership } = t;
  const again = page.getByRole("button", { name: membership.checkAgain });
  await paypal!.wish({ call: "capture order", mood: "pending" });
  await goToPayPal(visitor);
  await atPayPal(page, "Approve").click();
  await expect(note(visitor, formatText(membership.transaction, { status: "PENDING" }))).toBeVisible();
  await expect(page.getByText(membership.pendingText)).toBeVisible();
  await expect(payButton(visitor)).toBeHidden();
  await checkAccessibility(visitor, "money that is on its way", ["light"]);

  await expectHistory(visitor, new RegExp(membership.onItsWay));
  await checkAccessibility(visitor, "the history with an order on its way", ["light"]);
  await page.getByRole("link", { name: membership.lookAtOrder }).click();
  await expect(again).toBeVisible();
  const [, orderId = ""] = ORDER_ID.exec(page.url())!;
  await paypal!.sendWebhooksTo(`${server.url}/webhooks/paypal`);
  await settle(paypal!, orderId);
  await expect(async () => {
    await again.click();
    await expect(thanks(visitor)).toBeVisible({ timeout: 1_000 });
  }).toPass();

  await paypal!.sendWebhooksTo(null);
  await visitor.open("/upgrade-account");
  await paypal!.wish({ call: "capture order", mood: "failing after", times: 20 });
  await paypal!.wish({ call: "show order", mood: "failing", times: 20 });
  await goToPayPal(visitor);
  await atPayPal(page, "Approve").click();
  await expect(note(visitor, membership.unknown)).toBeVisible();
  await expect(payButton(visitor)).toBeHidden();
  await checkAccessibility(visitor, "a payment nobody knows of", ["light"]);
  await visitor.goOffline();
  await again.click();
  await expect(again).not.toHaveAttribute("aria-busy");
  await expect(note(visitor, membership.unknown)).toBeVisible();
  await visitor.goOnline();
  await paypal!.calmDown();
  await again.click();
  await expect(thanks(visitor)).toBeVisible();
  await expectHistory(visitor, /1 month.*USD\s10/, /1 month.*USD\s10/);
});

test("a coupon is checked when its field is left, and makes its member paid once", async ({
  visit,
  mailbox,
  server,
  paypal,
  runOperator,
}) => {
  for (const id of ["GIFT-ONE", "GIFT-TWO"]) await createCoupon(runOperator, id);
  const { visitor } = await shopper({ visit, mailbox, server, paypal }, "has-a-coupon");
  visitor.allowError(/status of (404|422)/);
  const { page, t } = visitor;
  const { membership, errors } = t;
  const code = page.getByLabel(membership.couponCode);
  const apply = page.getByRole("button", { name: membership.applyCoupon });
  await expect(page.getByRole("heading", { name: membership.free, exact: true })).toBeVisible();
  await expect(apply).toBeDisabled();

  await keyboard.type(code, "gift-none");
  await expect(page.getByText(errors.coupon_not_found)).toHaveCount(0); // nobody was asked yet
  await page.keyboard.press("Tab");
  await expect(page.getByText(errors.coupon_not_found).first()).toBeVisible();
  await expect(apply).toBeDisabled();
  await checkAccessibility(visitor, "a coupon that does not exist", ["light"]);
  await code.fill(" ｇift-one ");
  await expect(page.getByText(errors.coupon_not_found)).toHaveCount(0);
  await code.press("Enter");
  await expect(page.getByText("It gives 3 months.").first()).toBeVisible();
  await checkAccessibility(visitor, "a coupon that is good", ["dark"]);
  await keyboard.press(apply);

  await expect(page.getByText(membership.couponApplied)).toBeVisible();
  await expect(page.getByRole("heading", { name: membership.paid, exact: true })).toBeFocused();
  await expect(page.getByText(MOMENT)).toBeVisible();
  await expect(code).toHaveValue("");
  await code.fill("gift-one");
  await code.press("Tab");
  await expect(page.getByText(errors.coupon_used).first()).toBeVisible();
  // Good when it was looked at, and gone when it was applied.
  await code.fill("GIFT-TWO");
  await code.press("Tab");
  await expect(apply).toBeEnabled();
  await runOperator("coupons", "disable", "GIFT-TWO");
  await apply.click();
  await expect(alertOf(visitor, errors.coupon_expired)).toBeVisible();
  await expect(apply).toBeDisabled();
});

test("a session that ends while its member is at PayPal asks for the login, and pays then", async ({
  visit,
  mailbox,
  server,
  paypal,
}) => {
  const { visitor, member } = await shopper({ visit, mailbox, server, paypal }, "ends-at-paypal");
  visitor.allowError(/status of 401/);
  await goToPayPal(visitor);
  await member.ask(logOut, { token: member.refresh });

  await atPayPal(visitor.page, "Approve").click();
  await logInOnScreen(visitor, mouse, member);

  await expect(thanks(visitor)).toBeVisible();
});

test("what cannot be begun or shown says so", async ({ visit, mailbox, server, paypal }) => {
  const { visitor } = await shopper({ visit, mailbox, server, paypal }, "cannot-begin");
  visitor.allowError(/status of (4\d\d|50\d)|net::ERR_FAILED/);
  const { page, t, context } = visitor;
  const { membership, errors } = t;
  await quantity(visitor, "year").fill("1");
  await paypal!.wish({ call: "create order", mood: "failing", times: 20 });
  await payButton(visitor).click();
  await expect(
    alertOf(visitor, formatText(membership.couldNotInitiate, { reason: errors.payments_unavailable })),
  ).toBeVisible();
  await paypal!.calmDown();
  await visitor.goOffline();
  await payButton(visitor).click();
  await expect(
    alertOf(visitor, formatText(membership.couldNotInitiate, { reason: t.errorScreen.offline })),
  ).toBeVisible();
  await visitor.goOnline();
  await expect(quantity(visitor, "year")).toHaveValue("1");

  // Another member's order is nobody's.
  const stranger = await signUp(server.url, mailbox, personOf("strange-buyer"));
  const { order_id: strangers } = await stranger.ask(createOrder, {
    currency: "USD",
    price: 10,
    year: 0,
    month: 1,
  });
  await visitor.open(`/upgrade-account?order_id=${strangers}`);
  await expect(page.getByText(errors.order_not_found)).toBeVisible();
  await visitor.open(`/upgrade-account/payment/successed/${strangers}`);
  await expect(alertOf(visitor, errors.fault)).toBeVisible();
  await expect(note(visitor, membership.noOrders)).toBeVisible();
  await expect(page).toHaveURL(/\/purchase-history$/);

  await context.route("**/users/api/orders", (route) => route.fulfill({ status: 500, json: {} }));
  await visitor.open("/purchase-history");
  await expect(alertOf(visitor, errors.fault)).toBeVisible();
  await expect(page).toHaveURL(visitor.url(""));
});

/** Lets the money of a pending order arrive. */
async function settle(paypal: NonNullable<Fixtures["paypal"]>, orderId: string): Promise<void> {
  const waiting = (await paypal.events()).find(
    ({ event_type, reference }) => event_type === "PAYMENT.CAPTURE.PENDING" && reference === orderId,
  );
  await paypal.settle(waiting!.resourceId, "COMPLETED");
}
