import type { ProfileForm } from "../profiles/index.ts";

export type ProfileOverrides = Partial<ProfileForm>;

export function sampleProfile(overrides: ProfileOverrides): ProfileForm {
  return {
    username: "Hanako",
    sex: "female",
    date_of_birth: "1983-05-06",
    description: "I like quiet evenings.",
    how_long_married: 12,
    how_long_married_unit: "year",
    tall: 165,
    tall_unit: "cm",
    weight: null,
    weight_unit: "kg",
    salary: null,
    salary_unit: "JPY",
    salary_duration: "year",
    purpose: null,
    hobby: null,
    twitter: null,
    instagram: null,
    facebook: null,
    line: null,
    search_sex: "all",
    search_range_unit: "km",
    search_min_range: null,
    search_max_range: null,
    search_min_age: null,
    search_max_age: null,
    ...overrides,
  };
}
