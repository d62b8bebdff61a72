import { expect, test } from "vitest";
import { pageOfAppUrl } from "./app-url.ts";

const ORIGIN = "https://alcove.example";

test.each([
  ["https://alcove.example/en/dm/taro", "/en/dm/taro"],
  ["https://alcove.example/ja/login?next=%2Fja%2Fdm", "/ja/login?next=%2Fja%2Fdm"],
  ["https://alcove.example/zh-hant", "/zh-hant"],
  ["https://alcove.example/en/sign-up?invited_by=hanako", "/en/sign-up?invited_by=hanako"],
  ["example.alcove.app://open/en/upgrade-account?order_id=7", "/en/upgrade-account?order_id=7"],
])("opens the page of %s", (url, page) => {
  expect(pageOfAppUrl(url, ORIGIN)).toBe(page);
});

test.each([
  "https://evil.example/en/dm",
  "https://alcove.example.evil.example/en/dm",
  "https://alcove.example//evil.example/en",
  "https://alcove.example/en/../..//evil.example",
  "https://alcove.example/media/i/x",
  "https://alcove.example/en/app-login#code",
  "https://alcove.example/en/APP-LOGIN#code",
  "https://alcove.example/en/app%2dlogin#code",
  "https://alcove.example/en/%61pp-login#code",
  "https://alcove.example/en/users/%61pi/export?ticket=x",
  "https://alcove.example/en/dm/%zz",
  "https://alcove.example/en/users/api/export?ticket=x",
  "example.alcove.app://other/en/dm",
  "javascript:alert(1)",
  "alcove.example/en/dm",
])("opens no page for %s", (url) => {
  expect(pageOfAppUrl(url, ORIGIN)).toBeNull();
});
