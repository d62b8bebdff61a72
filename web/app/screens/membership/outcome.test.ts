import { expect, test } from "vitest";
import type { Order, PaypalOrderData } from "@alcove/contract/membership";
import { outcomeOfCapture } from "./outcome.ts";

const outcomeFor = (status: Order["status"], paypal_order_data: PaypalOrderData) =>
  outcomeOfCapture({ paypal_order_data, order: { status } as Order });
const refusedFor = (issue: string): PaypalOrderData => ({ details: [{ issue }], debug_id: "90957fca61718" });
const captured = (status: string): PaypalOrderData => {
  const capture = { id: "3C6", status, amount: { currency_code: "USD", value: "10.00" } };
  return { id: "5O1", status: "COMPLETED", purchase_units: [{ payments: { captures: [capture] } }] };
};

test("an order counts as paid when we have given the membership, whatever PayPal calls it", () => {
  expect(outcomeFor("completed", captured("COMPLETED")).kind).toBe("paid");
  expect(outcomeFor("partly_refunded", captured("PARTIALLY_REFUNDED")).kind).toBe("paid");
  expect(outcomeFor("refunded", captured("COMPLETED")).kind).toBe("given_back");
});

test("money that waits at the buyer's bank is no success, though PayPal calls the order completed", () => {
  expect(outcomeFor("pending", captured("PENDING"))).toEqual({ kind: "pending", status: "PENDING" });
});

test("what was not paid says why", () => {
  const debugId = "90957fca61718";

  expect(outcomeFor("declined", refusedFor("INSTRUMENT_DECLINED")).kind).toBe("declined");
  expect(outcomeFor("created", refusedFor("ORDER_NOT_APPROVED")).kind).toBe("unapproved");
  expect(outcomeFor("declined", refusedFor("PAYER_CANNOT_PAY"))).toEqual({
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
