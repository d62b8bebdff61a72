import { act, screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startSession } from "../../lib/session/session.ts";
import { ownUser, party } from "../../testing/fixtures.ts";
import { render, translations } from "../../testing/render.tsx";
import { CardUsed } from "./card-used.tsx";

// Outside the time limits of the tests, because a busy machine loads it slowly.
await import("./evening-rows.tsx");

const t = translations.home;
const te = translations.evening;

const HANAKO = ownUser();

const question = { id: "q1", text: "What calms you?", ends_on: "2026-05-04", answer: null, visibility: null };
let likes: object[] = [];
let dms: object[] = [];
let matches: object[] = [];

beforeEach(() => {
  [likes, dms, matches] = [[], [], []];
  vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] });
  startSession({ access: "access", refresh: "refresh" }, false);
  vi.stubGlobal("fetch", async (path: string) =>
    Response.json(
      path.includes("likes") ? { likes } : path.includes("dms") ? { dms, matches } : { question },
    ),
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function renderUntil(now: string, next: string, { user = HANAKO, likesSince = now.slice(0, 10) } = {}) {
  vi.setSystemTime(new Date(now));
  const onDue = vi.fn<() => void>();
  render(
    <CardUsed
      user={user}
      nextCardAt={new Date(next)}
      likesSince={likesSince}
      onDue={onDue}
      onPlans={() => undefined}
    >
      {null}
    </CardUsed>,
  );
  return onDue;
}

test("shows the time until the next card, and asks for it when it is due", () => {
  const onDue = renderUntil("2026-05-01T12:17:30", "2026-05-01T23:59:00");

  const clock = screen.getByRole("timer");
  expect(clock.textContent).toBe("11 hours 42 minutes");
  expect(screen.getByText(t.nextCardToday.replace("{time}", "23:59"))).toBeTruthy();

  act(() => void vi.advanceTimersByTime(60_000));
  expect(clock.textContent).toBe("11 hours 41 minutes");
  expect(onDue).not.toHaveBeenCalled();

  act(() => void vi.advanceTimersByTime(11 * 3_600_000 + 41 * 60_000));
  expect(onDue).toHaveBeenCalled();
});

test("shows tomorrow as the day of the next card when it arrives after midnight", () => {
  renderUntil("2026-05-01T12:00:00", "2026-05-02T09:30:00");

  expect(screen.getByText(t.nextCardTomorrow.replace("{time}", "09:30"))).toBeTruthy();
  expect(screen.getByRole("button", { name: "Paid members can like up to 50 people a day" })).toBeTruthy();
});

test("shows whom the member liked today, and at most three conversations whose turn it is", async () => {
  likes = [
    { ...party("taro"), liked_on: "2026-05-01" },
    { ...party("jiro"), liked_on: "2026-04-29" },
  ];
  dms = ["a", "b", "c", "d", "e"].map((name, at) => ({
    sender: party(name),
    receiver: party("hanako"),
    my_turn: at !== 1,
    created_at: "2026-05-01T09:00:00.000Z",
  }));
  renderUntil("2026-05-01T12:00:00Z", "2026-05-02T00:00:00Z");

  const rows = within(await screen.findByRole("list")).getAllByRole("link");

  expect(rows.map((row) => row.getAttribute("href"))).toEqual([
    "/en/home/taro",
    "/en/dm/a",
    "/en/dm/c",
    "/en/dm/d",
  ]);
  expect(rows[1]!.textContent).toContain(te.yourTurn);
  expect(rows[0]!.textContent).toContain(translations.days.today);
  expect(screen.getByText(question.text)).toBeTruthy();
});

test("shows the like of a day that a change of the hour made longer", async () => {
  likes = [{ ...party("taro"), liked_on: "2026-05-01" }];
  renderUntil("2026-05-02T19:00:00Z", "2026-05-03T18:00:00Z", { likesSince: "2026-05-01" });

  const [row] = within(await screen.findByRole("list")).getAllByRole("link");

  expect(row!.textContent).toContain(translations.days.yesterday);
});

test.each([
  { isNamed: true, since: "2026-04-24", matchedOn: "2026-04-24", writtenOn: "2026-04-20" },
  { isNamed: false, since: "2026-04-25", matchedOn: "2026-04-24", writtenOn: "2026-04-20" },
  { isNamed: false, since: "2026-04-24", matchedOn: "2026-04-25", writtenOn: "2026-04-20" },
  { isNamed: false, since: "2026-04-24", matchedOn: "2026-04-24", writtenOn: "2026-04-25" },
])("names what helps after seven days without match and message: %j", async (week) => {
  likes = [{ ...party("taro"), liked_on: week.since }];
  matches = [{ ...party("jiro"), matched_on: week.matchedOn }];
  const created_at = `${week.writtenOn}T12:00:00.000Z`;
  dms = [{ sender: party("a"), receiver: party("hanako"), my_turn: false, created_at }];
  renderUntil("2026-05-01T12:00:00Z", "2026-05-02T00:00:00Z");

  await screen.findByText(question.text);

  const [words, filter] = ["A clearer first sentence", "a wider distance"].map((name) =>
    screen.queryByRole("link", { name })?.getAttribute("href"),
  );
  expect([words, filter]).toEqual(
    week.isNamed ? ["/en/setting/profile", "/en/setting/filter"] : [undefined, undefined],
  );
});

test.each([
  [{}, te.addPurpose],
  [{ purpose: "Evenings" }, te.addPicture],
  [{ purpose: "Evenings", pictures: ["/1", "/2"] }, te.addWords],
  [{ purpose: "Evenings", pictures: ["/1", "/2"], description: "a".repeat(120) }, te.addHobby],
])("names the one addition that helps the own card most: %j", async (user, addition) => {
  renderUntil("2026-05-01T12:00:00Z", "2026-05-02T00:00:00Z", {
    user: { ...HANAKO, ...user },
  });

  const link = await screen.findByRole("link", { name: addition });

  expect(link.getAttribute("href")).toBe("/en/setting/profile");
  expect(screen.getAllByRole("link")).toHaveLength(3); // with the preview and the hour
});

test("shows the weekday of the next card when it arrives later than tomorrow", () => {
  renderUntil("2026-05-01T12:00:00", "2026-05-03T07:00:00");

  const text = t.nextCardDay.replace("{day}", "Sunday").replace("{time}", "07:00");
  expect(screen.getByText(text)).toBeTruthy();
  expect(screen.getByRole("timer").textContent.trim()).toBe("43 hours");
});
