import { expect, test } from "vitest";
import { localUrl } from "./url.ts";

test.each([
  "//evil.example/",
  "//evil.example/en",
  "https://evil.example/",
  "\\\\evil.example/",
  "/\\evil.example/",
  "/\t/evil.example/",
  "javascript:document.title='run'",
  "data:text/html,run",
  "/en/../..//evil.example",
  "@evil.example",
  "",
])("leads nowhere for %j", (text) => {
  expect(localUrl(text)).toBeNull();
});

test("keeps path, query and fragment of this site", () => {
  expect(localUrl("/en/setting?from=login#top")).toBe("/en/setting?from=login#top");
});
