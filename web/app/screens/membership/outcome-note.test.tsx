import { screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import type { Order } from "@alcove/contract/membership";
import { render, translations } from "../../testing/render.tsx";
import { redirectToApproval } from "./checkout.ts";
import { OutcomeNote } from "./outcome-note.tsx";

const t = translations.membership;
const order = { id: "order-1" } as Order;
type Shown = Parameters<typeof OutcomeNote>[0]["outcome"];

function renderOutcome(outcome: Shown, isChecking = false) {
  const onCheck = vi.fn();
  return { ...render(<OutcomeNote {...{ outcome, order, isChecking, onCheck }} />), onCheck };
}

/** Remembers that this tab started the order, without leaving the page. */
function startOrder() {
  const assign = vi.spyOn(location, "assign").mockReturnValue();
  redirectToApproval({ orderId: "order-1", approveUrl: "https://paypal.example/approve" });
  assign.mockClear();
  return assign;
}

afterEach(() => sessionStorage.clear());

test.each<[Shown, "alert" | "status", string]>([
  [{ kind: "declined" }, "alert", t.declined],
  [{ kind: "unapproved" }, "alert", t.unapproved],
  [{ kind: "cancelled" }, "status", t.cancelled],
  [{ kind: "unknown" }, "alert", t.unknown],
  [{ kind: "pending", status: "PENDING" }, "status", t.transaction.replace("{status}", "PENDING")],
  [{ kind: "failed", status: null, debugId: null }, "alert", t.notProcessed],
  [{ kind: "refused", message: "The order has expired." }, "alert", t.notProcessed],
])("shows the outcome %j with role %s", (outcome, role, title) => {
  renderOutcome(outcome);

  expect(screen.getByRole(role).contains(screen.getByRole("heading", { name: title }))).toBe(true);
});

test("shows PayPal's reference when a payment failed", () => {
  renderOutcome({ kind: "failed", status: "DECLINED", debugId: "90957fca61718" });

  expect(screen.getByRole("alert").textContent).toContain("90957fca61718");
});

test.each<[Shown, string]>([
  [{ kind: "declined" }, t.otherWay],
  [{ kind: "unapproved" }, t.continue],
])("offers PayPal's page again for %j when this tab started the order", async (outcome, name) => {
  const assign = startOrder();
  const { user } = renderOutcome(outcome);

  await user.click(screen.getByRole("button", { name }));

  expect(assign).toHaveBeenCalledWith("https://paypal.example/approve");
});

test("does not offer PayPal's page when another tab started the order", () => {
  renderOutcome({ kind: "declined" });

  expect(screen.queryByRole("button")).toBeNull();
});

test.each<Shown>([{ kind: "unknown" }, { kind: "unapproved" }, { kind: "pending", status: "PENDING" }])(
  "checks again for %j when the button is clicked",
  async (outcome) => {
    const { user, onCheck } = renderOutcome(outcome);

    await user.click(screen.getByRole("button", { name: t.checkAgain }));

    expect(onCheck).toHaveBeenCalledOnce();
  },
);

test("the button is busy while the outcome is checked", () => {
  renderOutcome({ kind: "unknown" }, true);

  expect(screen.getByRole("button", { name: t.checkAgain, busy: true })).toBeTruthy();
});

test.each<Shown>([{ kind: "unknown" }, { kind: "pending", status: "PENDING" }])(
  "links to the purchase history for %j",
  (outcome) => {
    renderOutcome(outcome);

    const link = screen.getByRole("link", { name: translations.settings.purchaseHistory });
    expect(link.getAttribute("href")).toBe("/en/purchase-history");
  },
);
