import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { render } from "../../testing/render.tsx";
import { StatusLine } from "./status-line.tsx";

test.each([
  ["like", "You liked Sakura. We will tell you if it is mutual."],
  ["matched", "You and Sakura liked each other."],
  ["pass", "You passed on Sakura."],
] as const)("shows after a %s: %s", (kind, text) => {
  render(<StatusLine decision={{ kind, name: "Sakura" }} onUndo={null} quota="3 likes" />);

  expect(screen.getByText((_, element) => element?.tagName === "P").textContent).toBe(text);
});
