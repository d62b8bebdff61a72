import { act, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { render, translations } from "../../testing/render.tsx";
import { CardUsed } from "./card-used.tsx";

const t = translations.home;

beforeEach(() => vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval"] }));
afterEach(() => vi.useRealTimers());

function renderUntil(now: string, next: string) {
  vi.setSystemTime(new Date(now));
  const onDue = vi.fn<() => void>();
  render(
    <CardUsed nextCardAt={new Date(next)} onDue={onDue} onPlans={() => undefined}>
      {null}
    </CardUsed>,
  );
  return onDue;
}

test("shows the time until the next card, and asks for it when it is due", () => {
  const onDue = renderUntil("2026-05-01T12:17:30", "2026-05-01T23:59:00");

  const clock = screen.getByRole("timer", { name: "11 hours 42 minutes" });
  expect(clock.textContent).toBe("11h42min");
  expect(screen.getByText(t.nextCardToday.replace("{time}", "23:59"))).toBeTruthy();

  act(() => void vi.advanceTimersByTime(60_000));
  expect(screen.getByRole("timer", { name: "11 hours 41 minutes" })).toBe(clock);
  expect(onDue).not.toHaveBeenCalled();

  act(() => void vi.advanceTimersByTime(11 * 3_600_000 + 41 * 60_000));
  expect(onDue).toHaveBeenCalled();
});

test("shows tomorrow as the day of the next card when it arrives after midnight", () => {
  renderUntil("2026-05-01T12:00:00", "2026-05-02T09:30:00");

  expect(screen.getByText(t.nextCardTomorrow.replace("{time}", "09:30"))).toBeTruthy();
  expect(screen.getByRole("button", { name: "Paid members can like up to 50 people a day" })).toBeTruthy();
});
