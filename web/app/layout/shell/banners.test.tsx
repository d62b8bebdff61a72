import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BANNER_MS } from "@alcove/contract/limits";
import { banner } from "../../lib/banner.ts";
import { privacyScreen } from "../../lib/privacy-screen.ts";
import { render, translations } from "../../testing/render.tsx";
import { Banners } from "./banners.tsx";

const t = translations.shell;

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => {
  act(() => void vi.runAllTimers());
  vi.useRealTimers();
});

test("shows two banners at once and a note about the others, oldest first", () => {
  render(<Banners />);

  act(() => ["one", "two", "three"].forEach((text) => banner.alertText(text)));
  expect(screen.getAllByRole("alert").map(({ textContent }) => textContent)).toEqual(["one", "two"]);
  expect(screen.getByText(t.moreNotices)).toBeTruthy();

  act(() => void vi.advanceTimersByTime(BANNER_MS));
  expect(screen.getAllByRole("alert").map(({ textContent }) => textContent)).toEqual(["three"]);
  expect(screen.queryByText(t.moreNotices)).toBeNull();
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
