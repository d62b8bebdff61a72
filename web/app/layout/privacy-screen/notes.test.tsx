import { act, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { render, translations } from "../../testing/render.tsx";
import { Notes } from "./notes.tsx";

const t = translations.privacyScreen;
const onLeave = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  onLeave.mockReset();
  render(<Notes backRef={null} onLeave={onLeave} />);
});
afterEach(() => void vi.useRealTimers());

const press = (name: string) => fireEvent.click(screen.getAllByRole("button", { name })[0]!);

test("opens, finds and writes notes, and goes up to the folders, without uncovering the page", () => {
  press(t.newNote);
  fireEvent.change(screen.getByRole("textbox", { name: t.newNote }), {
    target: { value: "Milk\nTwo litres" },
  });
  expect(screen.getByRole("button", { name: /^Milk.*Two litres$/ })).toBeTruthy();

  fireEvent.change(screen.getByRole("searchbox"), { target: { value: "LITRES" } });
  expect(screen.getByRole("button", { name: /^Milk/ })).toBeTruthy();
  fireEvent.change(screen.getByRole("searchbox"), { target: { value: "nowhere" } });
  expect(screen.getByText(t.nothingFound)).toBeTruthy();

  press(t.back);
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(t.folders);
  fireEvent.click(screen.getByRole("button", { name: new RegExp(`^${t.title}`) }));
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(t.title);
  expect(onLeave).not.toHaveBeenCalled();
});

test("uncovers the page after two seconds on the title, not after a tap", () => {
  const title = screen.getByRole("heading", { level: 1 });
  fireEvent.pointerDown(title);
  act(() => void vi.advanceTimersByTime(1_999));
  fireEvent.pointerUp(title);
  act(() => void vi.advanceTimersByTime(5_000));
  expect(onLeave).not.toHaveBeenCalled();

  fireEvent.pointerDown(title);
  act(() => void vi.advanceTimersByTime(2_000));
  expect(onLeave).toHaveBeenCalledOnce();
});
