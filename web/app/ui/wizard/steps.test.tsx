import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { render } from "../../testing/render.tsx";
import { Steps } from "./steps.tsx";

test("steps name the current step", () => {
  render(<Steps label="Progress" labels={["Email", "Code", "Profile"]} current={1} />);

  const steps = screen.getAllByRole("listitem");
  expect(screen.getByRole("list", { name: "Progress" })).toBeTruthy();
  expect(steps.map((step) => step.textContent)).toEqual(["1. Email", "2. Code", "3. Profile"]);
  expect(steps.map((step) => step.getAttribute("aria-current"))).toEqual([null, "step", null]);
});
