import { expect, test } from "vitest";
import type { Order, PaypalOrderData } from "@alcove/contract/membership";
import { outcomeOfCapture } from "./outcome.ts";

const outcomeFor = (status: Order["status"], paypal_order_data: PaypalOrderData) =>
  outcomeOfCapture({ paypal_order_data, order: { status } as Order });
const failedWith = (issue: string): PaypalOrderData => ({ details: [{ issue }], debug_id: "90957fca61718" });
const captured = (status: string): PaypalOrderData => {
  const capture = { id: "3C6", status, amount: { currency_code: "USD", value: "10.00" } };
  return { id: "5O1", status: "COMPLETED", purchase_units: [{ payments: { captures: [capture] } }] };
};

test("returns paid when the membership is granted, for any status of PayPal", () => {
  expect(outcomeFor("completed", captured("COMPLETED")).kind).toBe("paid");
  expect(outcomeFor("partly_refunded", captured("PARTIALLY_REFUNDED")).kind).toBe("paid");
  expect(outcomeFor("refunded", captured("COMPLETED")).kind).toBe("given_back");
});

test("returns pending when the capture waits at the buyer's bank and PayPal completed the order", () => {
  expect(outcomeFor("pending", captured("PENDING"))).toEqual({ kind: "pending", status: "PENDING" });
});

test("returns the reason when the order is not paid", () => {
  const debugId = "90957fca61718";

  expect(outcomeFor("declined", failedWith("INSTRUMENT_DECLINED")).kind).toBe("declined");
  expect(outcomeFor("created", failedWith("ORDER_NOT_APPROVED")).kind).toBe("unapproved");
  expect(outcomeFor("declined", failedWith("PAYER_CANNOT_PAY"))).toEqual({
    kind: "failed",
    status: null,
    debugId,
  });
  expect(outcomeFor("declined", captured("DECLINED"))).toEqual({
    kind: "failed",
    status: "DECLINED",
    debugId: null,
  });
});
