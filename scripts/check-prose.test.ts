import { expect, test } from "vitest";
import { findNameProblems, findProseProblems, findWordyWorkspaces, measureProse } from "./check-prose.ts";

const LONG = Array.from({ length: 31 }, (_, index) => `word${index}`).join(" ");

function problems(text: string, path = "server/src/main.ts"): string[] {
  return findProseProblems(path, text, (document) => document === "docs/search.md");
}

test.each([
  ["line comments", `code();\n// Short.\n// ${LONG.replaceAll(" word9", "\n// word9")}.`, 3],
  ["a block comment", `/**\n * Short. ${LONG.replace(" word5 ", "\n * word5 ")}.\n */`, 2],
  ["a comment after code", `code(); // ${LONG}`, 1],
  ["a JSDoc tag", `/**\n * @param {string[]} one ${LONG}\n */`, 2],
  ["a test name", `test("${LONG}", () => {});`, 1],
])("reports the line of a long sentence when it is in %s", (_, text, line) => {
  expect(problems(text)).toEqual([expect.stringContaining(`main.ts:${line}: a sentence of 31 words`)]);
});

test("counts each sentence, list item, table cell and heading of a document alone", () => {
  const half = LONG.split(" ").slice(0, 20).join(" ");
  const parts = [`# ${half}`, `${half}. ${half}.`, `- ${half}\n- ${half}`, `| ${half} | ${half} |`];

  expect(problems(parts.join("\n"), "docs/search.md")).toEqual([]);
  expect(problems(`Short.\n\n- short\n- ${LONG}`, "docs/search.md")).toEqual([
    expect.stringContaining("docs/search.md:4: a sentence of 31 words"),
  ]);
});

test.each([
  ["// The member is told of it.", "told"],
  ["/* What is left is stored. */", "what is"],
  ["// Whoever has liked comes first.", "whoever"],
  ["// Removes the row of who has left.", "of who"],
  ["// Sends a letter\n// by\n// itself.", "by itself"],
  ["// A lot of rows.", "lot"],
])("reports a forbidden phrase: %s", (text, phrase) => {
  expect(problems(text).join("\n").toLowerCase()).toContain(`: "${phrase}"; instead: `);
});

test.each([
  ["strings", `const text = "whoever is told"; // Sent.`],
  ["addresses", `const url = "https://told.example"; fetch(url);`],
  ["code in comments", "// Maps `hint` to the frame."],
  ["quotations", `// Shows "what a letter says".`],
  ["questions", "// Who has liked whom?"],
  ["letters of the alphabet", "// Latin letters and small letters; letters and digits."],
  ["relative clauses", "// A member who has liked is listed."],
])("accepts %s", (_, text) => {
  expect(problems(text)).toEqual([]);
});

test("skips code blocks in documents", () => {
  expect(problems("```\nwhoever\n```\n\nFine.", "docs/running.md")).toEqual([]);
});

test("reports a cited document that the repository lacks", () => {
  expect(problems("// See docs/search.md and `docs/gone.md`.")).toEqual([
    "server/src/main.ts:1: there is no docs/gone.md",
  ]);
});

test("measures the words of comment and of the old dialect", () => {
  const stats = measureProse(["// It tells whoever is here.\n\n\n\n\n\n\n\n\n\n"]);

  expect(stats).toContain("5 words of comment in 10 lines: 50.0 for each 100 lines");
  expect(stats).toContain("200.0 clauses as nouns, 200.0 tell, hear or say");
});

test("reports a name with a word of the old dialect, but no comment, text or longer word", () => {
  const names = (text: string, path = "test-services/src/paypal.ts") => findNameProblems(path, text);

  expect(names("// kept\nconst isKept = mood;\nconst [LOG_LINES_KEPT] = uncoverPage;")).toEqual([
    'test-services/src/paypal.ts:2: the name "isKept"; instead: stored',
    'test-services/src/paypal.ts:2: the name "mood"; instead: fault',
    'test-services/src/paypal.ts:3: the name "LOG_LINES_KEPT"; instead: stored',
    'test-services/src/paypal.ts:3: the name "uncoverPage"; instead: hide the privacy screen',
  ]);
  expect(names('const moody = "kept";')).toEqual([]);
});

test("counts comments without tests, rejects too many in a workspace that was below, and warns of others", () => {
  const wordy = "// One two three four five.\n".repeat(9) + "code\n";
  const plain = "// One.\n" + "code\n".repeat(9);

  expect(
    findWordyWorkspaces([
      ["web/app/root.tsx", wordy],
      ["contract/src/call.ts", wordy],
      ["e2e/main.ts", plain],
      ["e2e/main.test.ts", wordy],
      ["e2e/testing/main.ts", wordy],
    ]),
  ).toEqual({
    problems: ["web: 450 words of comment for each 100 lines without tests; at most 45"],
    warnings: ["contract: 450 words of comment for each 100 lines without tests; at most 45"],
  });
});
