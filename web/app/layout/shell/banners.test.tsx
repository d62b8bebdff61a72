import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BANNER_MS } from "@alcove/contract/times";
import { banner } from "../../lib/page/banner.ts";
import { privacyScreen } from "../../lib/page/privacy-screen.ts";
import { render, translations } from "../../testing/render.tsx";
import { Banners } from "./banners.tsx";

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => {
  act(() => void vi.runAllTimers());
  vi.useRealTimers();
});

test("shows one banner at a time, oldest first, each for its whole time", () => {
  render(<Banners />);
  const shown = () => screen.queryAllByRole("alert").map(({ textContent }) => textContent);

  act(() => ["one", "two"].forEach((text) => banner.alertText(text)));
  expect(shown()).toEqual(["one"]);

  act(() => void vi.advanceTimersByTime(BANNER_MS));
  expect(shown()).toEqual(["two"]);
  act(() => void vi.advanceTimersByTime(BANNER_MS - 1));
  expect(shown()).toEqual(["two"]);
  act(() => void vi.advanceTimersByTime(1));
  expect(shown()).toEqual([]);
});

test("asks once to log in, however many calls needed a login", () => {
  render(<Banners />);

  act(() => [1, 2, 3].forEach(() => banner.askToLogIn()));
  expect(screen.getByRole("alert").textContent).toBe(translations.errors.login_required);

  act(() => void vi.advanceTimersByTime(BANNER_MS));
  expect(screen.queryByRole("alert")).toBeNull();
});

test("pauses a banner while the pointer is over it", () => {
  render(<Banners />);
  act(() => banner.notifyText("saved"));

  fireEvent.pointerEnter(screen.getByRole("status"));
  act(() => void vi.advanceTimersByTime(2 * BANNER_MS));
  expect(screen.getByText("saved")).toBeTruthy();
  fireEvent.pointerLeave(screen.getByRole("status"));
  act(() => void vi.advanceTimersByTime(BANNER_MS));

  expect(screen.queryByText("saved")).toBeNull();
});

test("shows no banner behind the privacy screen, and shows it afterwards", () => {
  render(<Banners />);
  act(() => privacyScreen.show());

  act(() => banner.alertText("failed"));
  act(() => void vi.advanceTimersByTime(2 * BANNER_MS));
  expect(screen.queryByText("failed")).toBeNull();
  act(() => privacyScreen.hide());

  expect(screen.getByText("failed")).toBeTruthy();
});
