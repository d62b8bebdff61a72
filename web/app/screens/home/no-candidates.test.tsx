import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { filterSuggestions } from "@alcove/contract/discovery";
import { render, translations } from "../../testing/render.tsx";
import type { EmptyReason } from "./candidates.ts";
import { NoCandidates } from "./no-candidates.tsx";

const t = translations.home;

test.each(filterSuggestions)("links to the filter with the suggestion %s", (suggestion) => {
  render(<NoCandidates empty={{ reason: "all_seen", suggestion }} />);

  const link = screen.getByRole("link", { name: t[suggestion] });
  expect(link.getAttribute("href")).toBe(`/en/setting/filter?suggestion=${suggestion}`);
  expect(screen.getByText(t[`${suggestion}_text`])).toBeTruthy();
});

test("links to the messages when no change of the filter helps", () => {
  render(<NoCandidates empty={{ reason: "all_seen" }} />);

  expect(screen.getByRole("heading", { name: t.empty_all_seen })).toBeTruthy();
  expect(screen.getByRole("link", { name: t.openMessages }).getAttribute("href")).toBe("/en/dm");
});

test("links to the plans and shows the time of the next card when the daily card is used", () => {
  const next = new Date();
  next.setHours(23, 59);
  const empty: EmptyReason = { reason: "card_used", next_card_at: next.toISOString() };
  render(<NoCandidates empty={empty} />);

  expect(screen.getByText(t.nextCardToday.replace("{time}", "23:59"))).toBeTruthy();
  expect(screen.getByRole("link", { name: translations.upgrade.seePlans }).getAttribute("href")).toBe(
    "/en/upgrade-account",
  );
});

test("shows that the next card comes tomorrow when it comes after midnight", () => {
  const next = new Date();
  next.setDate(next.getDate() + 1);
  next.setHours(9, 30);
  render(<NoCandidates empty={{ reason: "card_used", next_card_at: next.toISOString() }} />);

  expect(screen.getByText(t.nextCardTomorrow.replace("{time}", "09:30"))).toBeTruthy();
});
