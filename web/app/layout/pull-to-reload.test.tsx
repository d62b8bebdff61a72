import { fireEvent } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { render } from "../testing/render.tsx";
import { PullToReload } from "./pull-to-reload.tsx";

function renderPage() {
  const reload = vi.fn();
  render(
    <>
      <PullToReload onReload={reload} />
      <p>Text</p>
      <ul style={{ overflowY: "auto" }}>
        <li>Scrolled</li>
      </ul>
    </>,
  );
  return reload;
}

/** Moves a finger from one point to another. */
function drag(target: Element, to: { x?: number; y: number }): void {
  fireEvent.touchStart(target, { touches: [{ clientX: 0, clientY: 100 }] });
  for (const part of [0.1, 0.5, 1])
    fireEvent.touchMove(target, { touches: [{ clientX: (to.x ?? 0) * part, clientY: 100 + to.y * part }] });
  fireEvent.touchEnd(target, { touches: [] });
}

const text = () => document.querySelector("p")!;

test("reloads when the page is pulled down by more than 300 px", () => {
  const reload = renderPage();

  drag(text(), { y: 300 });
  expect(reload).not.toHaveBeenCalled();
  drag(text(), { y: 301 });

  expect(reload).toHaveBeenCalledOnce();
});

test("does not reload after a sideways move, in a list that scrolls, or when the page is scrolled", () => {
  const reload = renderPage();
  const list = document.querySelector("ul")!;
  Object.defineProperties(list, { scrollHeight: { value: 900 }, clientHeight: { value: 100 } });

  drag(text(), { x: 600, y: 400 });
  drag(document.querySelector("li")!, { y: 400 });
  vi.stubGlobal("scrollY", 5);
  drag(text(), { y: 400 });
  vi.unstubAllGlobals();

  expect(reload).not.toHaveBeenCalled();
});
