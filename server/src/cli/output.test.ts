import { expect, test } from "vitest";
import { spell } from "./output.ts";

test("a list is a table whose columns stand straight, in Japanese too", () => {
  const list = [
    { user_id: "hanako", says: "今晩は", at: null },
    { user_id: "taro", says: "hi", at: "2027" },
  ];

  expect(spell(list)).toBe("user_id  says    at\nhanako   今晩は  -\ntaro     hi      2027\n");
});

test("one thing, and what is wordy, is told by name and value", () => {
  expect(spell({ user_id: "hanako", at: null })).toBe("user_id: hanako\nat: -\n");
  expect(spell([{ a: "1" }, { a: "2" }], { isWordy: true })).toBe("a: 1\n\na: 2\n");
  expect(spell([])).toBe("");
});

test("the lists of one thing stand below their names, and an empty one is a dash", () => {
  expect(spell({ user_id: "hanako", orders: [{ id: "1", at: null }], grants: [] })).toBe(
    "user_id: hanako\norders:\n  id  at\n  1   -\ngrants: -\n",
  );
});

test("what a member wrote neither steers the terminal nor looks like a line of ours", () => {
  expect(spell({ detail: "\u001b[2Jgone\nstanding: active" })).toBe(
    "detail: \ufffd[2Jgone\n  standing: active\n",
  );
});
