/** Fields that count as one change, and that are sent together. */
const TOGETHER: readonly (readonly string[])[] = [
  ["how_long_married", "how_long_married_unit"],
  ["tall", "tall_unit"],
  ["weight", "weight_unit"],
  ["salary", "salary_unit", "salary_duration"],
  ["search_min_age", "search_max_age"],
  ["search_min_range", "search_max_range"],
];

export type Values = Readonly<Record<string, FormDataEntryValue>>;

export const valuesOf = (form: FormData): Values => Object.fromEntries(form);

/** Returns the changed fields in groups. */
export function changedFields(now: Values, saved: Values): readonly (readonly string[])[] {
  const names = Object.keys(now).filter((name) => now[name] !== saved[name]);
  const groups = names.map((name) => TOGETHER.find((group) => group.includes(name)) ?? [name]);
  return groups.filter((group, at) => groups.findIndex(([first]) => first === group[0]) === at);
}
