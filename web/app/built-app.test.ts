import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";

const BUILD = join(import.meta.dirname, "../build");
const CLIENT = join(BUILD, "client");
const FIRST_LOADS = join(BUILD, "first-load.json");
/** Of the script of a first load, in KB with gzip. */
const LIMITS = { login: 180, home: 210 } as const;

const read = (file: string): string => readFileSync(join(CLIENT, file), "utf8");
const scripts = (): string[] =>
  readdirSync(join(CLIENT, "assets"))
    .filter((name) => name.endsWith(".js"))
    .map((name) => `assets/${name}`);
const importsOf = (file: string): string[] =>
  [...read(file).matchAll(/\b(?:from|import)\s*["'`]\.\/([^"'`]+)["'`]/g)].map(
    ([, name = ""]) => `assets/${name}`,
  );

/** Returns the script and those that it imports at once. */
function withImports(file: string, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known;
  known.add(file);
  for (const each of importsOf(file)) withImports(each, known);
  return known;
}

// `npm test` builds the web app first; a single test run may lack it.
describe.runIf(existsSync(FIRST_LOADS))("the built web app", () => {
  // In a circle, the file that loads first runs without the constants of the other: Safari lost the pattern of an address.
  test("has no files that import each other in a circle", () => {
    const circular = scripts().filter((file) => importsOf(file).some((each) => withImports(each).has(file)));

    expect(circular).toEqual([]);
  });

  test.each(["login", "home"] as const)("loads not too much script for %s", (screen) => {
    const firstLoads = JSON.parse(readFileSync(FIRST_LOADS, "utf8")) as Record<string, string[]>;
    const files = [
      ...firstLoads[screen]!,
      ...scripts().filter((file) => file.startsWith("assets/manifest-")),
    ];

    const bytes = files.reduce((total, file) => total + gzipSync(read(file)).length, 0);

    expect(bytes / 1_024).toBeLessThanOrEqual(LIMITS[screen]);
  });

  // React Router would ask the server for data of the others.
  test("has a loader in the browser for each route that has one in the build", () => {
    const routes = scripts().find((file) => file.startsWith("assets/manifest-"))!;
    const manifest = JSON.parse(/=(\{.*\})/.exec(read(routes))![1]!) as {
      routes: Record<string, { hasLoader: boolean; hasClientLoader: boolean; hasAction: boolean }>;
    };
    const withoutLoader = Object.entries(manifest.routes).filter(
      ([, { hasLoader, hasClientLoader, hasAction }]) => hasAction || (hasLoader && !hasClientLoader),
    );

    expect(Object.keys(manifest.routes).length).toBeGreaterThan(10);
    expect(withoutLoader).toEqual([]);
  });
});
