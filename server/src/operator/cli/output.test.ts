import { expect, test } from "vitest";
import { formatOutput } from "./output.ts";

test("aligns the columns of a table, also with Japanese text", () => {
  const list = [
    { user_id: "hanako", says: "今晩は", at: null },
    { user_id: "taro", says: "hi", at: "2027" },
  ];

  expect(formatOutput(list)).toBe("user_id  says    at\nhanako   今晩は  -\ntaro     hi      2027\n");
});

test("prints one item, and items with long values, as name and value", () => {
  expect(formatOutput({ user_id: "hanako", at: null })).toBe("user_id: hanako\nat: -\n");
  expect(formatOutput([{ a: "1" }, { a: "2" }], { hasLongValues: true })).toBe("a: 1\n\na: 2\n");
  expect(formatOutput([])).toBe("");
});

test("prints an item's lists below their names and an empty list as a dash", () => {
  expect(formatOutput({ user_id: "hanako", orders: [{ id: "1", at: null }], grants: [] })).toBe(
    "user_id: hanako\norders:\n  id  at\n  1   -\ngrants: -\n",
  );
});

test("escapes control characters and line breaks in member text", () => {
  expect(formatOutput({ detail: "\u001b[2Jgone\nstanding: active" })).toBe(
    "detail: \ufffd[2Jgone\n  standing: active\n",
  );
});
