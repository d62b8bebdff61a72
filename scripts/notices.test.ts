import { expect, test } from "vitest";
import { root } from "./lib/project.js";
import { findNoticeProblems, shippedPackages } from "./notices.ts";

test("follows the packages that are shipped, and neither tools nor optional peers", () => {
  const other = { version: "1.0.0" };
  const locked = {
    server: { version: "0.1.0", dependencies: { one: "1.0.0" } },
    contract: other,
    i18n: other,
    web: { version: "0.1.0", devDependencies: { tool: "1.0.0" } },
    mobile: { version: "0.1.0", dependencies: { two: "2.0.0" } },
    "node_modules/one": {
      version: "1.0.0",
      dependencies: { two: "1.0.0" },
      peerDependencies: { peer: "1.0.0", unused: "1.0.0" },
      peerDependenciesMeta: { unused: { optional: true } },
    },
    "node_modules/one/node_modules/two": other,
    "node_modules/two": { version: "2.0.0" },
    "node_modules/peer": other,
    "node_modules/unused": other,
    "node_modules/tool": other,
  };

  expect(shippedPackages(locked)).toEqual([
    "node_modules/one",
    "node_modules/one/node_modules/two",
    "node_modules/peer",
    "node_modules/two",
  ]);
});

test("lists every shipped package in the notices", () => {
  expect(findNoticeProblems(root)).toEqual([]);
});
