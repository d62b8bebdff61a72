import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { Sex } from "@alcove/contract/users";
import { render, translations } from "../../testing/render.tsx";
import CorrectionsScreen from "./corrections.tsx";

const t = translations.corrections;

test.each<[Sex, Sex]>([
  ["female", "male"],
  ["male", "female"],
])("offers a member whose sex is %s the other one", (sex, other) => {
  render(<CorrectionsScreen />, [], { corrections: [], sex });

  expect(screen.getByLabelText<HTMLSelectElement>(t.sex).value).toBe(other);
});
