import { expect, test } from "vitest";
import { findDocumentProblems } from "./check-documents.ts";

const PAGES: Record<string, string> = { "docs/search.md": "# Search\n\n## The circle: 3 km\n" };
const RECORD =
  "# 0007. Search: cells\n\nStatus: accepted. Date: 2026-11-21.\n\n## Context\n\nA.\n\n## Decision\n\nB.\n\n## Consequences\n\nC.\n";

function problems(text: string, path = "docs/media.md"): string[] {
  return findDocumentProblems(path, text, (page) => PAGES[page] ?? null, new Set(["0007"]));
}

test("accepts links to files, headings and sites", () => {
  const links = "[a](search.md) [b](search.md#the-circle-3-km) [c](#own) [d](https://example.org/x.md)";

  expect(problems(`# Own\n\n${links}\n\n\`\`\`\n[e](gone.md)\n\`\`\`\n`)).toEqual([]);
});

test("reports links without their file or heading", () => {
  expect(problems("[a](gone.md) [b](search.md#gone) [c](#gone)")).toEqual([
    "docs/media.md: there is no docs/gone.md",
    "docs/media.md: docs/search.md has no heading #gone",
    "docs/media.md: docs/media.md has no heading #gone",
  ]);
});

test("reports a cited decision record that does not exist, in sources too", () => {
  expect(problems("// as in ADR 0007, not ADR 0008", "server/src/main.ts")).toEqual([
    "server/src/main.ts: there is no ADR 0008",
  ]);
});

test("reports long pages, but neither rules nor reviews", () => {
  const long = "a\n".repeat(201);

  expect(problems(long)).toEqual(["docs/media.md: 201 lines; at most 200"]);
  expect(problems(long, "docs/product-rules.md")).toEqual([]);
  expect(problems(long, "docs/reviews/asvs.md")).toEqual([]);
});

test("reports a decision record of another form, number or length", () => {
  const form = "a record has title, status, date, context, decision, consequences";
  const path = "docs/adr/0007-search-cells.md";

  expect(problems(RECORD, path)).toEqual([]);
  expect(problems(RECORD.replace("## Decision\n", ""), path)).toEqual([`${path}: ${form}`]);
  expect(problems(RECORD, "docs/adr/0008-search-cells.md")).toEqual([
    `docs/adr/0008-search-cells.md: ${form}`,
  ]);
  expect(problems(`${RECORD}\n${"C.\n".repeat(40)}`, path)).toEqual([`${path}: 56 lines; at most 40`]);
});
