import { act, fireEvent, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BANNER_MS } from "@alcove/contract/times";
import { banner } from "../../lib/page/banner.ts";
import { render } from "../../testing/render.tsx";
import { Banners } from "./banners.tsx";
import { NoticeLine } from "./notice-line.tsx";

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => {
  act(() => void vi.runAllTimers());
  vi.useRealTimers();
});

const texts = (role: string) => screen.queryAllByRole(role).map(({ textContent }) => textContent);

test("shows the newest success in its place, and alerts as banners", () => {
  render(
    <>
      <NoticeLine />
      <Banners />
    </>,
  );

  act(() => ["one", "two"].forEach((text) => banner.notifyText(text)));
  act(() => banner.alertText("failed"));

  expect(texts("status")).toEqual(["two"]);
  expect(texts("alert")).toEqual(["failed"]);
  act(() => void vi.advanceTimersByTime(BANNER_MS));
  expect(texts("status")).toEqual([""]);
  expect(texts("alert")).toEqual([]);
});

test("shows a success as a banner while its place is out of sight", () => {
  const outOfSight = { top: 2_000, bottom: 2_020 } as DOMRect;
  const spy = vi.spyOn(HTMLElement.prototype, "getBoundingClientRect").mockReturnValue(outOfSight);
  render(
    <>
      <NoticeLine />
      <Banners />
    </>,
  );

  act(() => banner.notifyText("saved"));

  expect(texts("status")).toEqual(["", "saved"]);
  spy.mockRestore();
});

function Screens() {
  const [isLeft, setLeft] = useState(false);
  return (
    <>
      {!isLeft && <NoticeLine />}
      <button type="button" onClick={() => setLeft(true)}>
        leave
      </button>
      <Banners />
    </>
  );
}

test("takes the notice with it when its screen is left", () => {
  render(<Screens />);
  act(() => banner.notifyText("saved"));
  expect(texts("status")).toEqual(["saved"]);

  fireEvent.click(screen.getByRole("button", { name: "leave" }));

  expect(texts("status")).toEqual([]);
});
