import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listFiles, readText, root } from "./lib/project.js";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "alcove-imports-"));
  await cp(join(root, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
});
afterEach(() => rm(folder, { recursive: true }));

/** Returns those imports, written as `file -> import`, that oxlint reports. */
async function lint(imports: string[]): Promise<string[]> {
  const targets = new Map<string, string[]>();
  for (const one of imports) {
    const [file = "", target = ""] = one.split(" -> ");
    targets.set(file, [...(targets.get(file) ?? []), target]);
  }
  for (const [file, all] of targets) {
    await mkdir(join(folder, dirname(file)), { recursive: true });
    const code = all.map((target) => `export * from ${JSON.stringify(target)};`).join("\n");
    await writeFile(join(folder, file), code);
  }

  const oxlint = join(root, "node_modules/oxlint/bin/oxlint");
  const args = ["-A", "all", "-D", "no-restricted-imports", "--format=json"];
  const output = await promisify(execFile)(process.execPath, [oxlint, ...args], { cwd: folder }).catch(
    (error: unknown) => error as { stdout: string },
  );
  const { diagnostics } = JSON.parse(output.stdout) as { diagnostics: Diagnostic[] };
  expect(diagnostics.every(({ help }) => help)).toBe(true);
  const reported = diagnostics.map(({ filename, labels }) => {
    const line = labels[0]?.span.line ?? 0;
    return `${filename} -> ${targets.get(filename)?.[line - 1]}`;
  });
  return imports.filter((one) => reported.includes(one));
}

interface Diagnostic {
  filename: string;
  help: string;
  labels: { span: { line: number } }[];
}

test("forbids the imports that break the layout", async () => {
  const forbidden = [
    "contract/src/users.ts -> ../../server/src/config.ts",
    "contract/src/users.ts -> @alcove/i18n",
    "i18n/index.ts -> @alcove/contract/users",
    "server/migrations/0001_members.ts -> ../src/accounts/index.ts",
    "server/src/discovery/likes.ts -> ../profiles/icon.ts",
    "server/src/discovery/likes.ts -> ../demo/index.ts",
    "server/src/discovery/likes.ts -> ../testing/member.ts",
    "server/src/discovery/likes.ts -> @alcove/test-services/mail",
    "server/src/discovery/search/cells.ts -> ../../profiles/icon.ts",
    "server/src/discovery/likes.test.ts -> ../profiles/icon.ts",
    "server/src/platform/log.ts -> ../accounts/index.ts",
    "server/src/platform/http/router.ts -> ../../accounts/index.ts",
    "server/src/integrations/paypal/payments.ts -> ../../membership/index.ts",
    "server/src/operator/cli/backup/tar.ts -> ../../../media/store.ts",
    "server/src/discovery/likes.ts -> ../operator/index.ts",
    "server/src/members/locks.ts -> ../accounts/index.ts",
    "server/src/demo/accounts.ts -> ../profiles/icon.ts",
    "server/src/main.ts -> ./testing/member.ts",
    "server/src/main.ts -> @alcove/test-services/mail",
    "server/src/server.ts -> ./discovery/likes.ts",
    "server/src/modules.ts -> ./discovery/index.ts",
    "server/src/registry.ts -> ./discovery/likes.ts",
    "server/src/config.ts -> ./discovery/index.ts",
    "web/app/screens/home/home.tsx -> ../settings/filter.tsx",
    "web/app/screens/home/home.tsx -> ../../../../server/src/config.ts",
    "web/app/features/chat/chat.tsx -> ../crop/crop.tsx",
    "web/app/features/chat/chat.tsx -> ../../layout/shell/shell.tsx",
    "web/app/layout/shell/shell.tsx -> ../../screens/home/home.tsx",
    "web/app/realtime/connection.ts -> ../features/chat/chat.ts",
    "web/app/lib/api/api.ts -> ../../ui/button.tsx",
    "web/app/device/browser.ts -> ../lib/api/api.ts",
    "web/app/ui/button.tsx -> ../lib/api/api.ts",
    "web/app/ui/forms/field.tsx -> @alcove/contract/users",
    "test-services/src/mail.ts -> ../../server/src/config.ts",
    "bench/src/search.ts -> ../../server/src/discovery/index.ts",
    "e2e/specs/chat/send.spec.ts -> ../../../server/src/config.ts",
    "scripts/start.js -> fastify",
  ];

  expect(await lint(forbidden)).toEqual(forbidden);
});

test("allows the imports of the layout", async () => {
  const allowed = [
    "server/src/discovery/likes.ts -> ../profiles/index.ts",
    "server/src/discovery/likes.ts -> ./likes.sql.ts",
    "server/src/discovery/likes.ts -> @alcove/contract/discovery",
    "server/src/discovery/search/cells.ts -> ../likes.ts",
    "server/src/discovery/search/cells.ts -> ../../platform/db/database.ts",
    "server/src/discovery/likes.test.ts -> ../testing/member.ts",
    "server/src/discovery/search/cells.test.ts -> @alcove/test-services/mail",
    "server/src/platform/db/migrate.ts -> ../../../migrations/index.ts",
    "server/src/platform/http/router.ts -> ../../registry.ts",
    "server/src/operator/cli/backup/tar.ts -> ../../../media/index.ts",
    "server/src/operator/console/cases.ts -> ../../cases/index.ts",
    "server/src/discovery/likes.ts -> ../members/locks.ts",
    "server/src/discovery/search/cells.ts -> ../../members/locks.ts",
    "server/src/modules.ts -> ./discovery/module.ts",
    "server/src/registry.ts -> ./discovery/tables.ts",
    "server/src/testing/member.ts -> ../accounts/sign-up.ts",
    "web/app/routes.ts -> ./screens/home/home.tsx",
    "web/app/screens/home/home.tsx -> ./deck.tsx",
    "web/app/screens/home/home.tsx -> ../../features/chat/chat.tsx",
    "web/app/features/chat/chat.tsx -> ../../realtime/connection.ts",
    "web/app/features/chat/chat.test.tsx -> ../../testing/render.tsx",
    "web/app/layout/shell/shell.tsx -> ../../features/login/login.tsx",
    "web/app/ui/forms/field.tsx -> ../button.tsx",
    "e2e/specs/chat/send.spec.ts -> @alcove/test-services/mail",
    "scripts/start.js -> ./lib/run.js",
    "scripts/lib/lock.js -> node:timers/promises",
  ];

  expect(await lint(allowed)).toEqual([]);
});

test("finds no import cycle between the server's features", () => {
  const imports = new Map<string, Set<string>>();
  for (const path of listFiles("server/src").filter((path) => /(?<!\.test)\.ts$/.test(path))) {
    const [, , feature = ""] = path.split("/");
    const found = readText(path).matchAll(/ from "(?:\.\.\/)+(\w+)\/index\.ts"/g);
    imports.set(
      feature,
      new Set([...(imports.get(feature) ?? []), ...[...found].map(([, other = ""]) => other)]),
    );
  }
  const doesImport = (one: string, other: string) => imports.get(one)!.has(other);

  let cycle = [...imports.keys()];
  for (let size = 0; size !== cycle.length;) {
    size = cycle.length;
    const isBetween = (one: string) =>
      cycle.some((other) => doesImport(one, other)) && cycle.some((other) => doesImport(other, one));
    cycle = cycle.filter(isBetween);
  }

  expect(cycle).toEqual([]);
});
