import { screen } from "@testing-library/react";
import { useRef, useState } from "react";
import { expect, test } from "vitest";
import { render } from "../../testing/render.tsx";
import { moved, useReorder } from "./use-reorder.ts";

/** Moves nothing while the last order is being saved, like the pictures of the profile. */
function Letters() {
  const [letters, setLetters] = useState(["A", "B", "C"]);
  const [isBusy, setBusy] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const { itemProps } = useReorder(list, letters.length, (from, to) => {
    if (isBusy) return false;
    setLetters(moved(letters, from, to));
    setBusy(true);
    return true;
  });
  return (
    <>
      <ul ref={list}>
        {letters.map((letter, place) => (
          <li key={letter} {...itemProps(place)}>
            <button type="button">{letter}</button>
          </li>
        ))}
      </ul>
      <button type="button" onFocus={() => setBusy(false)}>
        saved
      </button>
    </>
  );
}

const order = () => screen.getAllByRole("listitem").map(({ textContent }) => textContent);

test("moves the item of the focus by key, and keeps the focus on it when a second press comes too early", async () => {
  const { user } = render(<Letters />);
  const first = screen.getByRole("button", { name: "A" });
  first.focus();

  await user.keyboard("{ArrowRight}{ArrowRight}");
  expect(order()).toEqual(["B", "A", "C"]);
  screen.getByRole("button", { name: "saved" }).focus();
  await expect.poll(() => document.activeElement?.textContent).toBe("saved");
  first.focus();
  await user.keyboard("{ArrowRight}");

  expect(order()).toEqual(["B", "C", "A"]);
  expect(document.activeElement).toBe(first);
});
