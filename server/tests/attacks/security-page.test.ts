import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "../../..");
const FILE_OR_NAME = /`([\w./-]+\.(?:test\.tsx?|spec\.ts))`|"([^"]+)"/g;

/** Returns pairs of file and test name. A name belongs to the last file before it in its line. */
function namedTests(document: string): [file: string, name: string][] {
  return document.split("\n").flatMap((line) => {
    let file: string | undefined;
    return [...line.matchAll(FILE_OR_NAME)].flatMap(([, path, name]): [string, string][] => {
      file = path ?? file;
      return name !== undefined && file !== undefined ? [[file, name]] : [];
    });
  });
}

test("names only tests that exist in the security page and the reviews", () => {
  const reviews = readdirSync(join(ROOT, "docs/reviews")).map((page) => `reviews/${page}`);
  const pages = ["security.md", "security-members.md", ...reviews];
  const named = pages.flatMap((page) => namedTests(readFileSync(join(ROOT, "docs", page), "utf8")));

  const missing = named.filter(([file, name]) => {
    const source = readFileSync(join(ROOT, file), "utf8");
    return !source.includes(`"${name}"`) && !source.includes(`\`${name}\``);
  });

  expect(named.length).toBeGreaterThan(50);
  expect(missing).toEqual([]);
});
