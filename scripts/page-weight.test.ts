import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { languages } from "@alcove/i18n";
import { root } from "./lib/project.js";

const KB = 1_024;
/** Of the script of a first load, with gzip. */
const LIMITS = {
  login: { bytes: 130 * KB, files: 12 },
  home: { bytes: 154 * KB, files: 12 },
} as const;
const STATIC_PAGE_BYTES = 10 * KB;
const STATIC_PAGES = [
  "about-service",
  "pricing",
  "tos",
  "privacy-policy",
  "contact",
  "unsubscribe",
  "404",
] as const;

const BUILD = join(root, "web/build");
const CLIENT = join(BUILD, "client");
const FIRST_LOADS = join(BUILD, "first-load.json");

const read = (file: string): string => readFileSync(join(CLIENT, file), "utf8");
const sizeOf = (text: string): number => gzipSync(text).length;
const sum = (sizes: readonly number[]): number => sizes.reduce((total, each) => total + each, 0);
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

/** Inline scripts, linked ones, and files that these load for the reader. */
function scriptBytes(page: string, reader: (typeof READERS)[number]): number {
  const html = read(`${page}/index.html`);
  const inline = html.matchAll(/<script(?![^>]*\bsrc=)(?![^>]*application\/json)[^>]*>([\s\S]*?)<\/script>/g);
  const linked = [...html.matchAll(/<(?:script|link)[^>]*(?:src|href)="\/(assets\/[^"]+\.js)"/g)];
  const files = new Set<string>();
  for (const [, name = ""] of linked) withImports(name, files);
  const form = /data-(contact|unsubscribe)=/.exec(html)?.[1];
  const purposes = [
    ...(reader === "a member" ? ["calls"] : []),
    ...(form === "unsubscribe" || (form && reader === "a visitor who uses the form") ? [form] : []),
  ];
  const loaded = onDemand(files).filter((file) => purposes.includes(purposeOf(file)));
  expect(loaded).toHaveLength(purposes.length);
  for (const file of loaded) withImports(file, files);
  return sum([
    ...[...inline].map(([, code = ""]) => sizeOf(code)),
    ...[...files].map((file) => sizeOf(read(file))),
  ]);
}

const onDemand = (files: ReadonlySet<string>): string[] =>
  [...files].flatMap((file) =>
    [...read(file).matchAll(/\bimport\(["'`]\.\/([^"'`]+)["'`]\)/g)].map(([, name = ""]) => `assets/${name}`),
  );

const READERS = ["a member", "a visitor who uses the form"] as const;
/** What static pages load on demand, by a part of its code. The unread mark of members needs the calls. */
const PURPOSES = {
  calls: "/dm/api/last-dms",
  contact: "dataset.contact",
  unsubscribe: "dataset.outcome",
  botCheck: ".botCheck",
};

function purposeOf(file: string): string {
  const code = read(file);
  const purpose = Object.entries(PURPOSES).find(([, part]) => code.includes(part));
  if (!purpose) throw new Error(`${file} is loaded for an unknown purpose`);
  return purpose[0];
}

// `npm test` builds the web app first; a single test run may lack it.
describe.runIf(existsSync(FIRST_LOADS))("the built web app", () => {
  // In a circle, the file that loads first runs without the constants of the other: Safari lost the pattern of an address.
  test("has no files that import each other in a circle", () => {
    const circular = scripts().filter((file) => importsOf(file).some((each) => withImports(each).has(file)));

    expect(circular).toEqual([]);
  });

  test.each(["login", "home"] as const)("loads little script for %s", (screen) => {
    const { [screen]: chunks = [] } = JSON.parse(readFileSync(FIRST_LOADS, "utf8")) as Record<
      string,
      string[]
    >;
    const routes = scripts().filter((file) => file.startsWith("assets/manifest-"));
    const files = [...chunks, ...routes];

    expect(routes).toHaveLength(1);
    expect(sum(files.map((file) => sizeOf(read(file))))).toBeLessThanOrEqual(LIMITS[screen].bytes);
    expect(files.length).toBeLessThanOrEqual(LIMITS[screen].files);
  });

  // `web/trim-router.ts` removes the way to loaders of a server.
  test("has a loader in the browser for each route that has one in the build", () => {
    const routes = scripts().find((file) => file.startsWith("assets/manifest-"))!;
    const manifest = JSON.parse(/=(\{.*\})/.exec(read(routes))![1]!) as {
      routes: Record<string, { hasLoader: boolean; hasClientLoader: boolean; hasAction: boolean }>;
    };
    const asking = Object.entries(manifest.routes).filter(
      ([, { hasLoader, hasClientLoader, hasAction }]) => hasAction || (hasLoader && !hasClientLoader),
    );

    expect(Object.keys(manifest.routes).length).toBeGreaterThan(10);
    expect(asking).toEqual([]);
  });

  test.each(STATIC_PAGES)("loads no framework for %s", (page) => {
    for (const language of languages) {
      const path = `${language}/${page}`;
      expect(read(`${path}/index.html`)).not.toContain("__reactRouter");
      for (const reader of READERS)
        expect(scriptBytes(path, reader), `${path} for ${reader}`).toBeLessThanOrEqual(STATIC_PAGE_BYTES);
    }
  });

  test("has no scripts that import each other", () => {
    const imports = new Map(scripts().map((file) => [file, new Set(withImports(file))]));
    const cycles = scripts().flatMap((file) =>
      [...imports.get(file)!].filter((other) => other !== file && imports.get(other)!.has(file)),
    );

    expect([...new Set(cycles)]).toEqual([]);
  });
});
