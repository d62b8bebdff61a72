import { expect, test } from "vitest";
import { QUESTIONS, questionEnd, questionOn } from "./questions.ts";

test("asks one question from Monday to Sunday, and each of them before any again", () => {
  expect(questionOn("2026-01-05")).toBe(1);
  expect(questionOn("2026-01-11")).toBe(1);
  expect(questionOn("2026-01-12")).toBe(2);
  const weeks = Array.from({ length: QUESTIONS }, (_, week) =>
    questionOn(new Date(Date.UTC(2026, 10, 23 + 7 * week)).toISOString().slice(0, 10)),
  );
  expect(new Set(weeks).size).toBe(QUESTIONS);
  expect([Math.min(...weeks), Math.max(...weeks)]).toEqual([1, QUESTIONS]);
  expect(questionOn("2026-01-04")).toBe(QUESTIONS);
});

test("ends a question on the next Monday", () => {
  expect(questionEnd("2026-11-23")).toBe("2026-11-30");
  expect(questionEnd("2026-11-29")).toBe("2026-11-30");
  expect(questionEnd("2026-11-30")).toBe("2026-12-07");
});
