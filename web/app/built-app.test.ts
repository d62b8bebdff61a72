import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";

const BUILD = join(import.meta.dirname, "../build");
const CLIENT = join(BUILD, "client");
const MANIFEST = join(BUILD, "manifest.json");
const JA = "../i18n/locales/ja.json";
/** Modules of a first load in the largest language, and the limit of their scripts, in KB with gzip. */
const FIRST_LOADS = [
  ["login", 180, ["app/screens/login/login.tsx", `${JA}?part=base`]],
  [
    "home",
    210,
    ["app/screens/home/home.tsx", "app/layout/member-overlays.tsx", `${JA}?part=base`, `${JA}?part=member`],
  ],
] as const;

const read = (file: string): string => readFileSync(join(CLIENT, file), "utf8");
const scripts = (): string[] =>
  readdirSync(join(CLIENT, "assets"))
    .filter((name) => name.endsWith(".js"))
    .map((name) => `assets/${name}`);
const imports = new Map<string, string[]>();

function importsOf(file: string): string[] {
  const known = imports.get(file);
  if (known) return known;
  const names = read(file).matchAll(/\b(?:from|import)\s*["'`]\.\/([^"'`]+)["'`]/g);
  const found = [...names].map(([, name = ""]) => `assets/${name}`);
  imports.set(file, found);
  return found;
}

/** Returns the script and those that it imports at once. */
function withImports(file: string, known = new Set<string>()): Set<string> {
  if (known.has(file)) return known;
  known.add(file);
  for (const each of importsOf(file)) withImports(each, known);
  return known;
}

// `npm test` builds the web app first; a single test run may lack it.
describe.runIf(existsSync(MANIFEST))("the built web app", () => {
  // In a circle, the file that loads first runs without the constants of the other: Safari lost the pattern of an address.
  test("has no files that import each other in a circle", () => {
    const circular = scripts().filter((file) => importsOf(file).some((each) => withImports(each).has(file)));

    expect(circular).toEqual([]);
  });

  test.each(FIRST_LOADS)("loads not too much script for %s", (_, limit, modules) => {
    const manifest = JSON.parse(readFileSync(MANIFEST, "utf8")) as Record<string, { file: string }>;
    const files = new Set<string>();
    for (const module of ["app/entry.client.tsx", ...modules]) withImports(manifest[module]!.file, files);

    const bytes = [...files].reduce((total, file) => total + gzipSync(read(file)).length, 0);

    expect(bytes / 1_024).toBeLessThanOrEqual(limit);
  });
});
