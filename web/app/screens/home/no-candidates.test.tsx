import { screen } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { filterSuggestions } from "@alcove/contract/suggestions";
import { render, translations } from "../../testing/render.tsx";
import { NoCandidates } from "./no-candidates.tsx";

const t = translations.home;

test.each(filterSuggestions)("links to the filter with the suggestion %s", (suggestion) => {
  render(
    <NoCandidates reason="all_seen" suggestion={suggestion} maxRange={100} unit="mile" nextFacesAt={null}>
      {null}
    </NoCandidates>,
  );

  const link = screen.getByRole("link", { name: t[suggestion].replace("{distance}", "100 miles") });
  expect(link.getAttribute("href")).toBe(`/en/setting/filter?suggestion=${suggestion}&max_range=100`);
  expect(screen.getByText(t[`${suggestion}_text`])).toBeTruthy();
});

test("offers only the filter when no change of it helps", () => {
  render(
    <NoCandidates reason="all_seen" suggestion={undefined} maxRange={undefined} unit="km" nextFacesAt={null}>
      {null}
    </NoCandidates>,
  );

  expect(screen.getByRole("heading", { name: t.empty_all_seen })).toBeTruthy();
  expect(screen.getByText(t.empty_all_seen_text)).toBeTruthy();
  expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    "/en/setting/filter",
  ]);
});

test("shows when the next new faces come, and no change of the filter", () => {
  vi.useFakeTimers({ now: new Date("2026-05-01T12:00:00Z"), toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  render(
    <NoCandidates
      reason="all_seen"
      suggestion={undefined}
      maxRange={undefined}
      unit="km"
      nextFacesAt={new Date("2026-05-01T15:30:00Z")}
    >
      {null}
    </NoCandidates>,
  );

  expect(screen.getByRole("heading", { name: t.empty_faces_used })).toBeTruthy();
  expect(screen.getByText(/^Your next card arrives/)).toBeTruthy();
  expect(screen.queryByRole("link")).toBeNull();
});
