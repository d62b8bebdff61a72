import { expect, test } from "vitest";
import { findStyleProblems } from "./check-styles.ts";

const FILES = {
  "web/app/ui/styles/base.css": "[hidden] { display: none } @media print { .wide { padding: 0.5rem } }",
  "web/app/chat.module.css": ".chat > .head:not(.held) { color: red } :global(.wide) .chat { margin: 1.5px }",
  "web/app/chat.tsx":
    'import styles from "./chat.module.css";\nexport const all = [styles.chat, styles.head, styles.held];',
};
const problemsWith = (changes: Record<string, string>) =>
  findStyleProblems(new Map(Object.entries({ ...FILES, ...changes })));

test("accepts a module whose classes are all used, and a global class in one file", () => {
  expect(problemsWith({})).toEqual([]);
});

test("reports global styles beside a component, and a global class in two files", () => {
  const problems = problemsWith({
    "web/app/chat.css": ".chat { color: red }",
    "web/app/ui/styles/utilities.css": ".wide { margin: 0 }",
  });

  expect(problems).toEqual([
    expect.stringContaining("web/app/chat.css: global styles"),
    "web/app/ui/styles/utilities.css: .wide is styled in web/app/ui/styles/base.css, too",
  ]);
});

test("reports classes that a component does not use, or that are missing", () => {
  const code = FILES["web/app/chat.tsx"].replace("styles.head", "styles.foot");

  expect(problemsWith({ "web/app/chat.tsx": code })).toEqual([
    "web/app/chat.module.css: no component uses .head",
    "web/app/chat.module.css: a component uses .foot, which is missing",
  ]);
});

test("takes every class of a module as used whose class a component chooses by a value", () => {
  const code = FILES["web/app/chat.tsx"].replace("styles.head", "styles[kind]");

  expect(problemsWith({ "web/app/chat.tsx": code })).toEqual([]);
});
