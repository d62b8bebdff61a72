import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { render, translations } from "../../testing/render.tsx";
import { Amounts } from "./amounts.tsx";

const t = translations.referral;

test("shows the pending amount and its date", () => {
  const until = new Date(2026, 11, 23, 15, 30);
  const balance = { available: 16, received: 0, pending: 32.5, pending_until: until.toISOString() };

  render(<Amounts balance={balance} />);

  const held = screen.getByText(t.held).parentElement!;
  expect(held.textContent).toContain("$32.50");
  expect(held.textContent).toContain(t.heldUntil.replace("{day}", "2026/12/23"));
});

test("shows no pending amount when nothing is pending", () => {
  render(<Amounts balance={{ available: 16, received: 0, pending: 0, pending_until: null }} />);

  expect(screen.getByText(t.available)).toBeDefined();
  expect(screen.queryByText(t.held)).toBeNull();
});
