import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { render, translations } from "../../testing/render.tsx";
import { Segmented } from "./segmented.tsx";

const CHOICES = [
  ["female", "Women"],
  ["male", "Men"],
  ["all", "Everyone"],
] as const;

test("a segmented control is a named radio group with one chosen button", () => {
  render(<Segmented legend="Show me" name="search_sex" choices={CHOICES} defaultValue="male" />);

  expect(screen.getByRole("radiogroup", { name: "Show me" })).toBeTruthy();
  expect(screen.getByRole("radio", { name: "Men", checked: true })).toBeTruthy();
  expect(screen.getAllByRole("radio", { checked: false })).toHaveLength(2);
});

test("a segmented control reports the value when it is chosen by click or arrow key", async () => {
  const handleChange = vi.fn();
  const { user } = render(
    <Segmented legend="Show me" name="search_sex" choices={CHOICES} onChange={handleChange} />,
  );

  await user.click(screen.getByText("Men"));
  await user.keyboard("{ArrowRight}");

  expect(handleChange.mock.calls).toEqual([["male"], ["all"]]);
  expect(screen.getByRole("radio", { name: "Everyone", checked: true })).toBeTruthy();
});

test("a segmented control has its help text as description, behind an error", () => {
  const hint = "A smaller area counts later.";
  render(
    <>
      <Segmented legend="Width" name="width" choices={CHOICES} hint={hint} />
      <Segmented legend="Show me" name="search_sex" choices={CHOICES} hint={hint} error="required" />
    </>,
  );

  expect(screen.getByRole("radiogroup", { name: "Width", description: hint })).toBeTruthy();
  const description = `${translations.fields.required} ${hint}`;
  expect(screen.getByRole("radiogroup", { name: "Show me", description })).toBeTruthy();
});

test("a segmented control is invalid and describes its error", () => {
  render(<Segmented legend="Show me" name="search_sex" choices={CHOICES} error="required" />);

  const group = screen.getByRole("radiogroup", { description: translations.fields.required });
  expect(group.getAttribute("aria-invalid")).toBe("true");
});
