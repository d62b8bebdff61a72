import { fireEvent, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { User } from "@alcove/contract/users";
import { render, translations } from "../../testing/render.tsx";
import { FactFields } from "./about-fields.tsx";
import { FilterFields } from "./filter-fields.tsx";

const t = translations.profileForm;
const noErrors = () => ({ error: undefined, ownError: undefined });

function renderForm(user: Partial<User>) {
  const { user: actor } = render(
    <form>
      <FactFields user={user} errorsOf={noErrors} />
      <FilterFields user={user} errorsOf={noErrors} />
    </form>,
  );
  const form = document.querySelector("form")!;
  return { actor, sent: (name: string) => new FormData(form).get(name) };
}

const select = (name: string) => document.querySelector<HTMLSelectElement>(`select[name=${name}]`)!;

test.each([
  ["weight", "kg", "pound", 70, "154"],
  ["weight", "pound", "kg", 155, "70.3"],
  ["weight", "kg", "pound", 69.9, "154"],
  ["how_long_married", "year", "month", 3, "36"],
  ["how_long_married", "day", "month", 100, "3.3"],
] as const)(
  "%s in %s converts to %s and back when the unit changes",
  async (name, from, to, value, converted) => {
    const { actor, sent } = renderForm({ [name]: value, [`${name}_unit`]: from });

    for (let round = 0; round < 3; round++) {
      await actor.selectOptions(select(`${name}_unit`), to);
      expect(sent(name)).toBe(converted);
      await actor.selectOptions(select(`${name}_unit`), from);
      expect(sent(name)).toBe(String(value));
    }
  },
);

test.each([
  ["cm", 180, "feet inches", "5.11"],
  ["cm", 181.5, "feet inches", "5.11"],
  ["cm", 152, "feet inches", "5.00"],
  ["feet inches", 5.11, "cm", "180"],
  ["feet inches", 6, "cm", "183"],
] as const)("a height of %s %d converts to %s and back", async (from, value, to, converted) => {
  const { actor, sent } = renderForm({ tall: value, tall_unit: from });
  const before = sent("tall");

  for (let round = 0; round < 3; round++) {
    await actor.selectOptions(select("tall_unit"), to);
    expect(sent("tall")).toBe(converted);
    await actor.selectOptions(select("tall_unit"), from);
    expect(sent("tall")).toBe(before);
  }
});

test("a number that was typed in the second unit is the one that stays", async () => {
  const { actor, sent } = renderForm({ weight: 70, weight_unit: "kg" });
  await actor.selectOptions(select("weight_unit"), "pound");

  await actor.clear(screen.getByLabelText(t.weight, { exact: false, selector: "input" }));
  await actor.type(screen.getByLabelText(t.weight, { exact: false, selector: "input" }), "１５５");
  await actor.selectOptions(select("weight_unit"), "kg");
  expect(sent("weight")).toBe("70.3");
  await actor.selectOptions(select("weight_unit"), "pound");

  expect(sent("weight")).toBe("１５５");
});

test.each(["", "heavy", "1,5", "-"])("the text %j is not converted", async (text) => {
  const { actor, sent } = renderForm({ weight_unit: "kg" });
  const field = screen.getByLabelText(t.weight, { exact: false, selector: "input" });
  if (text !== "") await actor.type(field, text);

  await actor.selectOptions(select("weight_unit"), "pound");

  expect(sent("weight")).toBe(text);
});

test("a salary keeps its number", async () => {
  const { actor, sent } = renderForm({ salary: 50_000, salary_unit: "USD", salary_duration: "year" });

  await actor.selectOptions(select("salary_unit"), "JPY");
  await actor.selectOptions(select("salary_duration"), "month");

  expect(sent("salary")).toBe("50000");
});

test.each([
  ["km", t.miles, t.kilometres, [0, 50], ["0", "31"]],
  ["km", t.miles, t.kilometres, [10, 500], ["6", "311"]],
  ["mile", t.kilometres, t.miles, [5, 25], ["8", "40"]],
  ["mile", t.kilometres, t.miles, [0, 400], ["0", "500"]],
  ["km", t.miles, t.kilometres, [0, 500], ["0", "500"]],
] as const)(
  "a distance in %s converts to %s and back to %s",
  async (unit, to, back, [low, high], converted) => {
    const { actor, sent } = renderForm({
      search_min_range: low,
      search_max_range: high,
      search_range_unit: unit,
    });
    const range = () => [sent("search_min_range"), sent("search_max_range")];

    for (let round = 0; round < 3; round++) {
      await actor.click(screen.getByRole("radio", { name: to }));
      expect(range()).toEqual(converted);
      await actor.click(screen.getByRole("radio", { name: back }));
      expect(range()).toEqual([String(low), String(high)]);
    }
  },
);

test("no number is changed by the wheel", () => {
  renderForm({ weight: 70, tall: 180, salary: 5, how_long_married: 3 });

  for (const field of screen.getAllByRole<HTMLInputElement>("textbox")) {
    const before = field.value;
    fireEvent.wheel(field, { deltaY: 300 });
    expect([field.type, field.value]).toEqual(["text", before]);
  }
  expect(screen.queryAllByRole("spinbutton")).toEqual([]);
});

test.each([
  ["5", "１", "5.01"],
  ["５", "１１", "5.11"],
  ["５\u200B", " 7", "5.07"],
  ["5", "007", "5.07"],
  ["5", "110", "5.99"],
  ["5", "1e0", "5 ft 1e0 in"],
  ["+5", "1", "+5 ft 1 in"],
])("reads a height of %j feet and %j inches as %s", async (feet, inches, sent) => {
  const form = renderForm({ tall: null, tall_unit: "feet inches" });

  await form.actor.type(screen.getByRole("textbox", { name: t.feet }), feet);
  await form.actor.type(screen.getByRole("textbox", { name: t.inches }), inches);

  expect(form.sent("tall")).toBe(sent);
});

test.each([
  ["cm", "height", "165,5", "feet inches", "165,5 ft  in"],
  ["feet inches", "feet", "5,5", "cm", "5,5"],
] as const)("in %s, the unreadable %s %j is not lost in %s", async (unit, field, typed, other, sent) => {
  const form = renderForm({ tall: null, tall_unit: unit });

  await form.actor.type(screen.getByRole("textbox", { name: new RegExp(t[field]) }), typed);
  await form.actor.selectOptions(select("tall_unit"), other);

  expect(form.sent("tall")).toBe(sent);
});
