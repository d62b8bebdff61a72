import type { ComponentProps } from "react";
import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { filterSuggestions } from "@alcove/contract/suggestions";
import { startSession } from "../../lib/session/session.ts";
import { ownUser } from "../../testing/fixtures.ts";
import { render, translations } from "../../testing/render.tsx";
import { NoCandidates } from "./no-candidates.tsx";

const t = translations.home;
const te = translations.evening;

const HANAKO = ownUser({
  search_range_unit: "mile",
  search_min_range: 0,
  search_max_range: 32,
  search_min_age: 0,
  search_max_age: 120,
});

const saved: unknown[] = [];

beforeEach(() => {
  saved.length = 0;
  startSession({ access: "access", refresh: "refresh" }, false);
  vi.stubGlobal("fetch", async (_: string, { method, body }: { method: string; body: string }) => {
    if (method === "GET") return Response.json({ somebody_new: false, digest: true, push_key: "key" });
    saved.push(JSON.parse(body));
    return new Response(null, { status: 204 });
  });
});
afterEach(() => void vi.unstubAllGlobals());

type Props = Omit<ComponentProps<typeof NoCandidates>, "reason" | "user" | "children">;

const NOTHING_HELPS: Props = { suggestion: undefined, maxRange: undefined, nextFacesAt: null };

const renderFor = (user = HANAKO, props = NOTHING_HELPS) =>
  render(
    <NoCandidates reason="all_seen" user={user} {...props}>
      {null}
    </NoCandidates>,
  );

test.each(filterSuggestions)("links to the filter with the suggestion %s", (suggestion) => {
  renderFor(HANAKO, { suggestion, maxRange: 100, nextFacesAt: null });

  const link = screen.getByRole("link", { name: t[suggestion].replace("{distance}", "100 miles") });
  expect(link.getAttribute("href")).toBe(`/en/setting/filter?suggestion=${suggestion}&max_range=100`);
  expect(screen.getByText(t[`${suggestion}_text`])).toBeTruthy();
});

test("offers only the filter when no change of it helps", () => {
  renderFor();

  expect(screen.getByRole("heading", { name: t.empty_all_seen })).toBeTruthy();
  expect(screen.getByText(t.empty_all_seen_text)).toBeTruthy();
  expect(screen.getAllByRole("link").map((link) => link.getAttribute("href"))).toEqual([
    "/en/setting/filter",
  ]);
});

test("shows when the next new faces come, and no change of the filter", () => {
  vi.useFakeTimers({ now: new Date("2026-05-01T12:00:00Z"), toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  renderFor(HANAKO, { ...NOTHING_HELPS, nextFacesAt: new Date("2026-05-01T15:30:00Z") });

  expect(screen.getByRole("heading", { name: t.empty_faces_used })).toBeTruthy();
  expect(screen.getByText(/^Your next card arrives/)).toBeTruthy();
  expect(screen.queryByRole("link")).toBeNull();
});

test("switches the notification of somebody new on", async () => {
  const { user } = renderFor();
  const toggle = await screen.findByRole("switch", { name: new RegExp(te.somebodyNew) });

  await user.click(toggle);

  await waitFor(() => expect(saved).toEqual([{ somebody_new: true }]));
  expect(toggle).toHaveProperty("checked", true);
});

test("states why nothing comes while the filter is narrow", async () => {
  renderFor({ ...HANAKO, search_max_range: 31 });

  const toggle = await screen.findByRole("switch", { name: /at least 10 years and 32 miles/ });
  expect(toggle).toHaveProperty("disabled", true);
});
