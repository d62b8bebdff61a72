import { expect, test } from "vitest";
import { findBrokenImports, importsOf } from "./imports.js";

function broken(files: Record<string, string>): string[] {
  return findBrokenImports(new Map(Object.entries(files)));
}

const forbidden: [string, string, string, string][] = [
  ["a feature reaching into another one", "server/src/discovery/likes.ts", "../profiles/icon.ts", "index.ts"],
  [
    "platform knowing a feature",
    "server/src/platform/http/http-server.ts",
    "../accounts/index.ts",
    "platform knows no feature",
  ],
  ["the contract knowing the server", "contract/src/users.ts", "../../server/src/config.ts", "stands alone"],
  ["the contract knowing the translations", "contract/src/users.ts", "@alcove/i18n", "stands alone"],
  ["the kit knowing a call", "web/app/ui/button.tsx", "@alcove/contract/users", "knows only i18n"],
  [
    "a screen's feature knowing another one",
    "web/app/features/chat/chat.tsx",
    "../crop/crop.tsx",
    "the route",
  ],
  [
    "the web app knowing the server",
    "web/app/routes/home.tsx",
    "../../../server/src/modules.ts",
    "contract/",
  ],
  [
    "a journey knowing the server's inside",
    "e2e/specs/chat/chat.spec.ts",
    "../../../server/src/testing/test-service.ts",
    "only tests",
  ],
  ["the server running on its test parts", "server/src/main.ts", "./testing/service.ts", "only tests"],
  ["a script needing a package", "scripts/start.js", "fastify", "before anything is installed"],
  ["app knowing more than routes", "server/src/modules.ts", "./discovery/likes.ts", "table of contents"],
];

test.each(forbidden)("%s is reported with what to do instead", (_, from, to, advice) => {
  const [problem, ...others] = broken({ [from]: `import { one } from "${to}";` });

  expect(others).toEqual([]);
  expect(problem).toContain(`${from}: imports`);
  expect(problem).toContain(advice);
});

const allowed: [string, string, string][] = [
  ["another feature's index", "server/src/discovery/likes.ts", "../profiles/index.ts"],
  ["its own files", "server/src/discovery/likes.ts", "./likes.sql.ts"],
  ["the contract", "server/src/discovery/likes.ts", "@alcove/contract/discovery"],
  ["the test parts from a test", "server/src/discovery/likes.test.ts", "../testing/service.ts"],
  ["routes from the table of contents", "server/src/modules.ts", "./discovery/routes.ts"],
  ["everything of the web app from a route", "web/app/routes/home.tsx", "../features/chat/chat.tsx"],
  ["the address types that a tool makes", "web/app/routes/home.tsx", "./+types/imports.test"],
  ["Node's own modules from a script", "scripts/start.js", "node:path"],
];

test.each(allowed)("%s may be imported", (_, from, to) => {
  expect(broken({ [from]: `import { one } from "${to}";` })).toEqual([]);
});

test("two features that need each other are reported as a circle", () => {
  const problems = broken({
    "server/src/accounts/deletion.ts": `import { forget } from "../messaging/index.ts";`,
    "server/src/messaging/inbox.ts": `import type { Login } from "../accounts/index.ts";`,
  });

  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain("accounts -> messaging -> accounts");
});

test("every way of importing is seen, and none in a comment", () => {
  const source = `
    import a from "./a.ts";
    import type { B } from "./b.ts";
    import "./c.ts";
    export * from "./d.ts";
    export { e,
      f } from "./e.ts";
    const g = await import("./g.ts");
    // import h from "./h.ts";
    /* import i from "./i.ts"; */
  `;

  expect(importsOf(source)).toEqual(["./a.ts", "./b.ts", "./c.ts", "./d.ts", "./e.ts", "./g.ts"]);
});
