import { expect, test } from "vitest";
import { findForbiddenWords } from "./words.js";

function found(text: string, path = "docs/running.md", registry?: string): string[] {
  return findForbiddenWords(new Map([[path, text]]), registry);
}

test.each([
  ["one\n/ro" + "ot/alcove/data", "docs/running.md:2: a path of one machine"],
  ["see /ho" + "me/taro/alcove", "docs/running.md:1: a path of one machine"],
  ["// TO" + "DO later", "docs/running.md:1: unfinished work"],
  ["registry" + "=https://mirror.example", "docs/running.md:1: a package registry"],
])("what belongs to one machine or is unfinished is reported: %s", (text, problem) => {
  expect(found(text).join()).toContain(problem);
});

test("the registry that this machine installs from is named nowhere", () => {
  expect(
    found("npm from packages.example:8080", "README.md", "http://packages.example:8080/npm/"),
  ).toHaveLength(1);
  expect(found(`"resolved": "https://packages.example/a.tgz"`, "package-lock.json")).toHaveLength(1);
});

test("ordinary words and addresses pass", () => {
  expect(found("open /en/home/hanako or the workspace's root, todo lists included")).toEqual([]);
});
