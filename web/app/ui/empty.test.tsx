import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { render } from "../testing/render.tsx";
import { Button } from "./button.tsx";
import { Empty, NothingSelected } from "./empty.tsx";

test("an empty state shows a heading, a text and one action", () => {
  render(<Empty title="No messages yet" text="Like a profile." action={<Button>Go home</Button>} />);

  expect(screen.getByRole("heading", { name: "No messages yet" })).toBeTruthy();
  expect(screen.getByText("Like a profile.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Go home" })).toBeTruthy();
});

test("an empty detail pane has no heading", () => {
  render(<NothingSelected text="Choose a setting." />);

  expect(screen.getByText("Choose a setting.")).toBeTruthy();
  expect(screen.queryByRole("heading")).toBeNull();
});
