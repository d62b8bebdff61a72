import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { render, translations } from "../../testing/render.tsx";
import { Check, NumberWithUnits, SelectField, TextArea, TextField, UnitSelect } from "./field.tsx";

const { required } = translations.fields;

test("a field has its label as name and its help text as description", () => {
  render(<TextField label="Email" hint="We send a code to it." />);

  const input = screen.getByRole("textbox", { name: "Email", description: "We send a code to it." });
  expect(input.getAttribute("aria-invalid")).toBeNull();
});

test("a field is invalid and describes its error before its help text when it has an error", () => {
  render(<TextField label="Email" hint="We send a code to it." error="required" />);

  const description = `${required} We send a code to it.`;
  const input = screen.getByRole("textbox", { name: "Email", description });
  expect(input.getAttribute("aria-invalid")).toBe("true");
});

test("a field shows an error text that has no translation key", () => {
  render(<TextArea label="Description" error={{ text: "This coupon has expired." }} />);

  expect(
    screen.getByRole("textbox", { name: "Description", description: "This coupon has expired." }),
  ).toBeTruthy();
});

test("an optional field is marked in its label", () => {
  render(<TextField label="Hobby" optional />);

  expect(screen.getByRole("textbox", { name: `Hobby ${translations.ui.optional}` })).toBeTruthy();
});

test("a select offers its choices by label and submits their values", async () => {
  const choices = [
    ["km", "kilometres"],
    ["mile", "miles"],
  ] as const;
  const { user } = render(<SelectField label="Unit" choices={choices} defaultValue="km" error="required" />);
  const select = screen.getByRole<HTMLSelectElement>("combobox", { name: "Unit", description: required });

  await user.selectOptions(select, "miles");

  expect(select.value).toBe("mile");
});

test("a number and its unit have names of their own", () => {
  const unit = <UnitSelect key="unit" label="Unit of weight" choices={[["kg", "kg"]]} />;
  render(<NumberWithUnits label="Weight" units={[unit]} error="not_a_number" />);

  const description = translations.fields.not_a_number;
  expect(screen.getByRole("textbox", { name: "Weight", description })).toBeTruthy();
  expect(screen.getByRole("combobox", { name: "Unit of weight" })).toBeTruthy();
});

test("a checkbox toggles when its label is clicked", async () => {
  const { user } = render(<Check>I agree</Check>);
  const checkbox = screen.getByRole<HTMLInputElement>("checkbox", { name: "I agree" });

  await user.click(screen.getByText("I agree"));

  expect(checkbox.checked).toBe(true);
});

test("a field shows and describes all of its messages, each on a line", () => {
  const error = ["user_id_length", "user_id_taken", { text: "Try another one." }] as const;
  render(<TextField label="User ID" error={error} />);

  const { user_id_length: length, user_id_taken: taken } = translations.fields;
  const description = `${length}\n${taken}\nTry another one.`;
  const input = screen.getByRole("textbox", { name: "User ID" });
  expect(document.getElementById(input.getAttribute("aria-describedby")!)?.textContent).toBe(description);
});
