import { expect, test } from "vitest";
import type * as z from "zod/mini";
import { Email, text } from "./fields.ts";
import { problemOfEmail, problemOfText } from "./text-rules.ts";

const firstProblem = (schema: z.ZodMiniType, value: string): string | null => {
  const parsed = schema.safeParse(value);
  return parsed.success ? null : (parsed.error.issues[0]?.message ?? null);
};

test.each(["", " ", "\u2800", "abc", "abcdef", "a\u0000", "\uD800", "\u202Eabc", "ab\r\nc", "👩‍👩‍👧‍👧"])(
  "finds the same problem of text %j as the schema",
  (value) => {
    expect(problemOfText(value, 5)).toBe(firstProblem(text(5), value));
  },
);

test.each([
  "",
  " ",
  "hanako",
  "hanako@example.com",
  " hanako@example.com ",
  ".hanako@example.com",
  "ha..nako@example.com",
  "hanako.@example.com",
  `${"a".repeat(260)}@example.com`,
])("finds the same problem of email %j as the schema", (value) => {
  expect(problemOfEmail(value)).toBe(firstProblem(Email, value));
});
