import { randomUUID } from "node:crypto";
import { afterAll, beforeEach } from "vitest";
import type { Currency } from "@alcove/contract/prices";
import { startPayPal } from "@alcove/test-services/paypal";
import type { PayPalAccount } from "../config.ts";
import type { Payments } from "../integrations/paypal/payments.ts";
import { createPayPal } from "../integrations/paypal/paypal.ts";
import { openLog } from "../platform/log.ts";
import { TestClock } from "./test-service.ts";

export async function payPalClientTests() {
  const paypal = await startPayPal();
  afterAll(() => paypal.close());
  beforeEach(() => paypal.clearFaults());
  const clock = new TestClock();
  /** Another client has no token yet. */
  const open = ({ account = {}, timeoutMs = 5_000 }: ClientOptions = {}): Payments =>
    createPayPal({
      account: { ...paypal.account, ...account },
      statementText: "ONLINE SERVICES",
      clock,
      log: openLog("silent"),
      timeoutMs,
    });
  const payments = open();

  return {
    paypal,
    clock,
    open,
    payments,
    async approvedOrder(): Promise<string> {
      const { paypalOrderId } = await payments.createOrder(newOrder());
      await paypal.approve(paypalOrderId);
      return paypalOrderId;
    },
    async takenOf(paypalOrderId: string) {
      const { purchase_units } = (await paypal.order(paypalOrderId)) as {
        purchase_units: [{ custom_id: string }];
      };
      const book = await paypal.ledger();
      const [{ custom_id }] = purchase_units;
      return book.filter(({ kind, reference }) => kind === "taken" && reference === custom_id);
    },
  };
}

interface ClientOptions {
  readonly account?: Partial<PayPalAccount>;
  readonly timeoutMs?: number;
}

export const newOrder = (orderId: string = randomUUID(), currency: Currency = "USD", amount = 80) => ({
  requestId: `create-${orderId}`,
  orderId,
  currency,
  amount,
  returnUrl: "http://127.0.0.1:3000/en/upgrade-account/return",
  cancelUrl: "http://127.0.0.1:3000/en/upgrade-account",
});
