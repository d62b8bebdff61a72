import { expect, test } from "vitest";
import { limitMarkdownNesting } from "./limit-markdown-nesting.ts";

test("keeps ordinary Markdown unchanged", () => {
  const text = [
    "# Evenings",
    "> a quote",
    "- one\n  - within\n    1. deeper",
    "**bold**, ***both***, snake_case, 3 * 4",
    "---",
    "```\n    code\n```",
  ].join("\n\n");

  expect(limitMarkdownNesting(text)).toBe(text);
});

test("keeps at most sixteen columns of markers and indentation before the words of a line", () => {
  expect(limitMarkdownNesting(`${">".repeat(4_000)} words`)).toBe(`${">".repeat(16)}words`);
  expect(limitMarkdownNesting(`${"- ".repeat(2_000)}words`)).toBe(`${"- ".repeat(8)}words`);
  expect(limitMarkdownNesting(`${"1. ".repeat(9)}words`)).toBe(`${"1. ".repeat(5)}words`);
  expect(limitMarkdownNesting(`${"\t".repeat(9)}- words`)).toBe(`${"\t".repeat(4)}words`);
  expect(limitMarkdownNesting(`a\r\n${" ".repeat(40)}words`)).toBe(`a\n${" ".repeat(16)}words`);
});

test("keeps at most three emphasis markers in a row", () => {
  expect(limitMarkdownNesting(`${"*".repeat(2_000)}words${"_".repeat(9)}`)).toBe("***words___");
});
