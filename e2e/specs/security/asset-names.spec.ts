import { assetNames } from "../../fixtures/scripts.ts";
import { expect, test } from "../../fixtures/test.ts";

test("names built files by hashes only, so that no request shows which screen a member visits", () => {
  const names = assetNames();

  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name) => !/^[\w-]{7}\.\w+$/.test(name))).toEqual([]);
});
