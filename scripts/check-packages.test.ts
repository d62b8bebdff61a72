import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findPackageProblems } from "./check-packages.ts";
import { root } from "./lib/project.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "alcove-packages-"));
  const { workspaces } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  for (const file of [
    "package-lock.json",
    ".npmrc",
    ...["", ...workspaces].map((one) => join(one, "package.json")),
  ]) {
    mkdirSync(join(folder, file, ".."), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
});
afterEach(() => rmSync(folder, { recursive: true }));

function edit(file: string, from: RegExp, to: string): void {
  const before = readFileSync(join(folder, file), "utf8");
  const after = before.replace(from, to);
  expect(after).not.toBe(before);
  writeFileSync(join(folder, file), after);
}

test("reports a platform's package that the lock file lacks", () => {
  expect(findPackageProblems(folder)).toEqual([]);

  edit("package-lock.json", /"node_modules\/@oxlint\/binding-darwin-arm64": \{[^}]*\}[^}]*\},/, "");

  expect(findPackageProblems(folder)).toEqual([
    expect.stringContaining("package-lock.json: Missing: @oxlint/binding-darwin-arm64@"),
  ]);
});

test("reports a range of versions and the address of a package", () => {
  edit("web/package.json", /"use-intl": "[\d.]+"/, '"use-intl": "^4"');
  edit(
    "package-lock.json",
    /("node_modules\/use-intl": \{)/,
    '$1 "resolved": "https://example.com/use-intl.tgz",',
  );

  const problems = findPackageProblems(folder);

  expect(problems).toContain("web/package.json: use-intl has the range ^4 instead of one version");
  expect(problems.join("\n")).toContain(
    "node_modules/use-intl names the address https://example.com/use-intl.tgz",
  );
});
