import { logOut } from "@alcove/contract/accounts";
import { captureOrder, createOrder } from "@alcove/contract/membership";
import { checkAccessibility } from "../../actions/a11y-checks.ts";
import {
  expectHistory,
  goToPayPal,
  openPlans,
  outcome,
  payButton,
  payPalButton,
  quantityField,
  thanks,
} from "../../actions/buy-membership.ts";
import { mouse } from "../../actions/input-method.ts";
import { alertWith } from "../../actions/locators.ts";
import { logInOnScreen } from "../../actions/sign-up.ts";
import { expect, type Fixtures, test } from "../../fixtures/test.ts";
import { formatText } from "../../fixtures/translations.ts";

test.afterEach(async ({ paypal }) => {
  await paypal.clearFaults();
  await paypal.sendWebhooksTo(null);
});

const ORDER_ID = /order_id=([0-9a-f-]{36})/;

const CANCELLED = /cancelled=([0-9a-f-]{36})&token=(\w+)/;

test("charges once when the buyer cancels, is declined, pays and opens the return URL again", async ({
  visit,
  member,
  paypal,
}) => {
  const { visitor } = await openPlans({ visit, member, paypal }, "pays-once");
  const { page, t } = visitor;
  const { membership } = t;
  await goToPayPal(visitor, { month: 4 });

  await payPalButton(visitor, "Cancel").click();
  await expect(outcome(visitor, membership.cancelled)).toBeVisible();
  await expect(quantityField(visitor, "month")).toHaveValue("4");
  await checkAccessibility(visitor, "a cancelled payment", ["light"]);
  await payButton(visitor).click();
  await payPalButton(visitor, "Decline the next capture").click();
  await expect(outcome(visitor, membership.declined)).toBeVisible();
  await expect(quantityField(visitor, "month")).toHaveValue("4");
  await checkAccessibility(visitor, "a declined payment", ["dark"]);
  const back = page.url();
  await page.getByRole("button", { name: membership.otherWay }).click();
  await payPalButton(visitor, "Approve").click();
  await expect(thanks(visitor)).toBeVisible();
  await page.goto(back);
  await expect(thanks(visitor)).toBeVisible();
  await page.reload();
  await expect(thanks(visitor)).toBeVisible();

  await expectHistory(visitor, /4 months.*\$40/);
  const taken = (await paypal.ledger()).filter(({ reference }) => reference === ORDER_ID.exec(back)![1]);
  expect(taken).toHaveLength(1);
});

test(
  "shows the current state of a cancelled order when its URL is opened again",
  { tag: "@long" },
  async ({ visit, member, server, paypal }) => {
    const { visitor, buyer } = await openPlans({ visit, member, paypal }, "pays-after-all");
    visitor.allowError(/status of (400|404|503)/);
    const { page, t } = visitor;
    const { membership } = t;
    await goToPayPal(visitor);
    await payPalButton(visitor, "Cancel").click();
    await expect(outcome(visitor, membership.cancelled)).toBeVisible();
    const address = page.url();
    const [, order_id = "", token = ""] = CANCELLED.exec(address)!;

    // Paid in another window, and still pending.
    await paypal.approve(token);
    await paypal.injectFault({ call: "capture order", fault: "pending" });
    await buyer.call(captureOrder, { order_id });
    await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
    await expect(outcome(visitor, formatText(membership.transaction, { status: "PENDING" }))).toBeVisible();
    await expect(outcome(visitor, membership.cancelled)).toBeHidden();
    await expect(payButton(visitor)).toBeHidden();
    await page.context().route("**/users/api/order?**", (route) => route.fulfill({ status: 503, json: {} }));
    await page.goto(address);
    await expect(outcome(visitor, membership.unknown)).toBeVisible();
    await expect(payButton(visitor)).toBeHidden();
    await page.context().unroute("**/users/api/order?**");

    await paypal.sendWebhooksTo(`${server.url}/webhooks/paypal`);
    await completeCapture(paypal, order_id);
    await expect(async () => {
      await page.goto(address);
      await expect(thanks(visitor)).toBeVisible({ timeout: 3_000 });
    }).toPass();
    await expectHistory(visitor, /1 month.*\$10/);

    // An order of another member, or one that does not exist.
    const otherMember = await member("strange-canceller");
    const order = { currency: "USD", price: 10, year: 0, month: 1 } as const;
    const { order_id: otherOrderId } = await otherMember.call(createOrder, order);
    for (const id of [otherOrderId, "none"]) {
      await visitor.open(`/upgrade-account?cancelled=${id}`);
      await expect(payButton(visitor)).toBeVisible();
      await expect(page.getByText(membership.nothingPaid)).toBeHidden();
      await expect(page.getByText(t.errors.order_not_found)).toBeHidden();
    }
  },
);

test("shows a pending or unknown payment as such until the money arrives", async ({
  visit,
  member,
  server,
  paypal,
}) => {
  const { visitor } = await openPlans({ visit, member, paypal }, "waits-for-money");
  visitor.allowError(/status of 503/);
  const { page, t } = visitor;
  const { membership } = t;
  const again = page.getByRole("button", { name: membership.checkAgain });
  // The page checks too when it is notified or connected again, and the button leaves with the outcome.
  const expectThanks = async () =>
    expect(async () => {
      if (await again.isVisible()) await again.click({ timeout: 1_000 });
      await expect(thanks(visitor)).toBeVisible({ timeout: 1_000 });
    }).toPass();
  await paypal.injectFault({ call: "capture order", fault: "pending" });
  await goToPayPal(visitor);
  await payPalButton(visitor, "Approve").click();
  await expect(outcome(visitor, formatText(membership.transaction, { status: "PENDING" }))).toBeVisible();
  await expect(page.getByText(membership.pendingText)).toBeVisible();
  await expect(payButton(visitor)).toBeHidden();
  await checkAccessibility(visitor, "a pending payment", ["light"]);

  await expectHistory(visitor, new RegExp(membership.onItsWay));
  await checkAccessibility(visitor, "the history with a pending order", ["light"]);
  await page.getByRole("link", { name: membership.lookAtOrder }).click();
  await expect(again).toBeVisible();
  const [, orderId = ""] = ORDER_ID.exec(page.url())!;
  await paypal.sendWebhooksTo(`${server.url}/webhooks/paypal`);
  await completeCapture(paypal, orderId);
  await expectThanks();

  await paypal.sendWebhooksTo(null);
  await visitor.open("/upgrade-account");
  await paypal.injectFault({ call: "capture order", fault: "failing after", times: 20 });
  await paypal.injectFault({ call: "show order", fault: "failing", times: 20 });
  await goToPayPal(visitor);
  await payPalButton(visitor, "Approve").click();
  await expect(outcome(visitor, membership.unknown)).toBeVisible();
  await expect(payButton(visitor)).toBeHidden();
  await checkAccessibility(visitor, "a payment in an unknown state", ["light"]);
  await visitor.goOffline();
  await again.click();
  await expect(again).not.toHaveAttribute("aria-busy");
  await expect(outcome(visitor, membership.unknown)).toBeVisible();
  await visitor.goOnline();
  await paypal.clearFaults();
  await expectThanks();
  await expectHistory(visitor, /1 month.*\$10/, /1 month.*\$10/);
});

test(
  "pays after a new login when the session ends at PayPal",
  { tag: "@long" },
  async ({ visit, member, paypal }) => {
    const { visitor, buyer } = await openPlans({ visit, member, paypal }, "ends-at-paypal");
    visitor.allowError(/status of 401/);
    await goToPayPal(visitor);
    await buyer.call(logOut, { token: buyer.refresh });

    await payPalButton(visitor, "Approve").click();
    await logInOnScreen(visitor, mouse, buyer);

    await expect(thanks(visitor)).toBeVisible();
  },
);

test(
  "shows an error when a payment cannot begin or an order cannot be shown",
  { tag: "@long" },
  async ({ visit, member, paypal }) => {
    const { visitor } = await openPlans({ visit, member, paypal }, "cannot-begin");
    visitor.allowError(/status of (4\d\d|50\d)|net::ERR_FAILED/);
    const { page, t, context } = visitor;
    const { membership, errors } = t;
    await quantityField(visitor, "year").fill("2");
    await paypal.injectFault({ call: "create order", fault: "failing", times: 20 });
    await payButton(visitor).click();
    await expect(
      alertWith(visitor, formatText(membership.couldNotInitiate, { reason: errors.payments_unavailable })),
    ).toBeVisible();
    await paypal.clearFaults();
    await visitor.goOffline();
    await payButton(visitor).click();
    await expect(
      alertWith(visitor, formatText(membership.couldNotInitiate, { reason: t.errorScreen.offline })),
    ).toBeVisible();
    await visitor.goOnline();
    await expect(quantityField(visitor, "year")).toHaveValue("2");

    const otherMember = await member("strange-buyer");
    const { order_id: otherOrderId } = await otherMember.call(createOrder, {
      currency: "USD",
      price: 10,
      year: 0,
      month: 1,
    });
    await visitor.open(`/upgrade-account?order_id=${otherOrderId}`);
    await expect(page.getByText(errors.order_not_found)).toBeVisible();
    await visitor.open(`/upgrade-account/payment/successed/${otherOrderId}`);
    await expect(alertWith(visitor, errors.fault)).toBeVisible();
    await expect(outcome(visitor, membership.noOrders)).toBeVisible();
    await expect(page).toHaveURL(/\/purchase-history$/);

    await context.route("**/users/api/orders", (route) => route.fulfill({ status: 500, json: {} }));
    await visitor.open("/purchase-history");
    await expect(alertWith(visitor, errors.fault)).toBeVisible();
    await expect(page).toHaveURL(visitor.url(""));
  },
);

/** Completes the pending capture of an order. */
async function completeCapture(paypal: Fixtures["paypal"], orderId: string): Promise<void> {
  const pending = (await paypal.events()).find(
    ({ event_type, reference }) => event_type === "PAYMENT.CAPTURE.PENDING" && reference === orderId,
  );
  await paypal.settle(pending!.resourceId, "COMPLETED");
}
