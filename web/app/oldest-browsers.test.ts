import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { CompatData, CompatStatement, Identifier } from "@mdn/browser-compat-data";
import { parseSync, Visitor, type ESTree } from "vite";
import { describe, expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };
import { NEEDED } from "./lib/first-paint/outdated-browser.ts";

// 17 MB, which an import would transform.
const compatibility = createRequire(import.meta.url)("@mdn/browser-compat-data") as CompatData;

const BUILD = join(import.meta.dirname, "../build");

/** Used only where the code finds them. */
const OPTIONAL = [
  // React, React Router, Base UI and use-intl look for these first.
  "Error.captureStackTrace",
  "startViewTransition",
  "skipTransition",
  "checkVisibility",
  "getHourCycles",
  // Emoji are cut by code points without it, and sentences end at full stops.
  "Intl.Segmenter",
  "segment",
  // Passkeys are offered only with these.
  "PublicKeyCredential.isConditionalMediationAvailable",
  "PublicKeyCredential.parseCreationOptionsFromJSON",
  "PublicKeyCredential.parseRequestOptionsFromJSON",
  // Databases of others are deleted with it.
  "databases",
  // Parts of Capacitor's plugins for browsers; the native app calls the device.
  "ClipboardItem",
  "getType",
  "readText",
  "share",
  // The system's share sheet is offered only where it takes a picture.
  "canShare",
  // The library for QR codes has a base64 of its own.
  "toBase64",
];

/** Methods of objects that are not the browser's. */
const OTHERS = ["toArray", "use", "number", "retry", "dispose"];

const IGNORED = new Set([...OPTIONAL, ...OTHERS]);

type Support = ReadonlyMap<string, CompatStatement>;

const OLDEST = packageJson.browserslist.map((entry) => {
  const [name = "", version = ""] = entry.split(" ");
  const names = { ios_saf: "safari_ios" } as Record<string, string>;
  return { name: (names[name] ?? name) as keyof CompatStatement["support"], version: parts(version) };
});

function parts(version: string): number {
  const [major = 0, minor = 0] = version.replace("≤", "").split(".").map(Number);
  return major * 1_000 + minor;
}

type Browser = (typeof OLDEST)[number];

function hasFeature({ support }: CompatStatement, { name, version }: Browser): boolean {
  return [support[name] ?? []].flat().some(({ version_added: from, version_removed: to, flags, prefix }) => {
    const isAdded = typeof from === "string" && from !== "preview" && parts(from) <= version;
    return isAdded && !flags && !prefix && !(typeof to === "string" && parts(to) <= version);
  });
}

/** Whether each of the oldest browsers has the feature. */
const isOld = (feature: CompatStatement): boolean => OLDEST.every((browser) => hasFeature(feature, browser));

/** Experiments of one browser have the names of common fields. */
const isKnownToAll = ({ support }: CompatStatement): boolean =>
  OLDEST.every(({ name }) =>
    [support[name] ?? []].flat().some(({ version_added: from }) => typeof from === "string"),
  );

/** The APIs by `Interface.member`, and the interfaces. */
function listApis(): { statics: Support; members: ReadonlyMap<string, CompatStatement[]> } {
  const statics = new Map<string, CompatStatement>();
  const members = new Map<string, CompatStatement[]>();
  const { builtins } = compatibility.javascript;
  for (const group of [compatibility.api, builtins!, builtins!["Intl"]!]) {
    for (const [owner, api] of Object.entries(group as Record<string, Identifier>)) {
      if (owner === "__compat") continue;
      if (api.__compat) statics.set(owner, api.__compat);
      for (const [key, { __compat: statement }] of Object.entries(api as Record<string, Identifier>)) {
        if (key === "__compat" || !statement) continue;
        const name = key.replace(/_(?:static|event)$/, "");
        statics.set(`${owner}.${name}`, statement);
        members.set(name, [...(members.get(name) ?? []), statement]);
      }
    }
  }
  return { statics, members };
}

const { statics, members } = listApis();

function nameOf({ computed, property }: ESTree.MemberExpression): string | null {
  if (!computed) return property.type === "Identifier" ? property.name : null;
  return property.type === "Literal" && typeof property.value === "string" ? property.value : null;
}

/**
 * Lists the APIs of a script that one of the oldest browsers lacks. A method counts by its name, if no object of these
 * browsers has it.
 */
function missingIn(file: string): string[] {
  const missing = new Set<string>();
  const checkStatic = (name: string): boolean => {
    const statement = statics.get(name);
    if (statement && !isOld(statement)) missing.add(name);
    return statement !== undefined;
  };
  new Visitor({
    MemberExpression(node) {
      const name = nameOf(node);
      if (name !== null && node.object.type === "Identifier") checkStatic(`${node.object.name}.${name}`);
    },
    NewExpression({ callee }) {
      if (callee.type === "Identifier") checkStatic(callee.name);
    },
    CallExpression({ callee }) {
      if (callee.type !== "MemberExpression") return;
      const name = nameOf(callee);
      if (name === null) return;
      if (callee.object.type === "Identifier" && statics.has(`${callee.object.name}.${name}`)) return;
      const same = members.get(name)?.filter(isKnownToAll) ?? [];
      if (same.length > 0 && !same.some(isOld)) missing.add(name);
    },
    Literal(node) {
      if ("regex" in node && node.regex.flags.includes("v")) missing.add(`/${node.regex.pattern}/v`);
    },
  }).visit(parseSync("script.js", file).program);
  return [...missing];
}

test.each([
  ["URL.parse(text)", ["URL.parse"]],
  ["Promise.withResolvers()", ["Promise.withResolvers"]],
  ["list.toSorted()", ["toSorted"]],
  ["element.checkVisibility()", ["checkVisibility"]],
  ["/[\\p{L}--[a-z]]/v", ["/[\\p{L}--[a-z]]/v"]],
  ["list.at(-1); new URL(text); items.findLast(find); structuredClone(items)", []],
])("lists of %s what the oldest browsers lack", (code, missing) => {
  expect(missingIn(code)).toEqual(missing);
});

/** Without these styles everything stays readable and usable. */
const REFINEMENTS = new Set([
  "text-wrap",
  "word-break: auto-phrase",
  "overflow-clip-margin",
  "scrollbar-width",
  "forced-color-adjust",
  "content-visibility",
  "contain-intrinsic-block-size",
  "field-sizing",
  // Of a mouse, which a phone lacks.
  "cursor",
  "resize",
  "::selection",
]);

function featureOf(...path: readonly string[]): CompatStatement | undefined {
  let feature: Identifier | undefined = compatibility.css;
  for (const name of path) feature = feature?.[name];
  return feature?.__compat;
}

/** The functions and units of values, by their names. */
function listValues(types: Identifier, found = new Map<string, CompatStatement[]>()) {
  for (const [name, type] of Object.entries(types as Record<string, Identifier>)) {
    if (name === "__compat") continue;
    if (type.__compat) found.set(name, [...(found.get(name) ?? []), type.__compat]);
    listValues(type, found);
  }
  return found;
}

const values = listValues(compatibility.css.types as Identifier);

/** Lists the styles that one of the oldest browsers lacks, outside of `@supports`. */
function missingStyles(sheet: string): string[] {
  const missing = new Set<string>();
  const check = (name: string, ...statements: (CompatStatement | undefined)[]): boolean => {
    const known = statements.filter((statement) => statement !== undefined);
    const isMissing = known.length > 0 && !known.some(isOld);
    if (isMissing) missing.add(name);
    return isMissing;
  };
  const checkDeclaration = (text: string): void => {
    const [, name = "", value = ""] = /^\s*([a-z][a-z-]*)\s*:(.*)$/s.exec(text) ?? [];
    const isPrefixed = sheet.includes(`-webkit-${name}:`);
    if (!isPrefixed && check(name, featureOf("properties", name))) return;
    const own = value.replaceAll(/--[\w-]+|#[\da-f]+/gi, "");
    for (const [word] of own.matchAll(/(?<![\w-])[a-z][a-z-]*(?![\w(-])/g))
      check(
        `${name}: ${word}`,
        featureOf("properties", name, word),
        featureOf("properties", name, word.replaceAll("-", "_")),
      );
    for (const [, called = ""] of own.matchAll(/([a-z][a-z-]*)\(/g))
      check(`${called}()`, ...(values.get(called) ?? []));
    for (const [, unit = ""] of own.matchAll(/\d([a-z]+)/g)) check(unit, ...(values.get(unit) ?? []));
  };
  const plain = sheet.replaceAll(/"[^"]*"|\/\*.*?\*\/|url\([^)]*\)/gs, '""');
  for (const [, text = "", end] of withoutSupports(plain).matchAll(/([^{};]*)([{};])/g)) {
    const [, rule = ""] = /^\s*@([a-z-]+)/.exec(text) ?? [];
    if (rule) check(`@${rule}`, featureOf("at-rules", rule));
    else if (end !== "{") checkDeclaration(text);
    for (const [feature, name = ""] of end === "{" && !rule ? text.matchAll(/::?([a-z][a-z-]*)/g) : [])
      check(feature, featureOf("selectors", name));
    for (const [, feature = ""] of rule === "media" ? text.matchAll(/\((?:min-|max-)?([a-z-]+)/g) : [])
      check(`@media ${feature}`, featureOf("at-rules", "media", feature));
  }
  return [...missing];
}

function withoutSupports(sheet: string): string {
  const start = sheet.indexOf("@supports");
  if (start === -1) return sheet;
  let end = sheet.indexOf("{", start) + 1;
  for (let depth = 1; depth > 0 && end < sheet.length; end++)
    depth += sheet[end] === "{" ? 1 : sheet[end] === "}" ? -1 : 0;
  return sheet.slice(0, start) + withoutSupports(sheet.slice(end));
}

test.each([
  ["a:has(b){top:0}", [":has"]],
  ["@media (width>60rem){a:user-valid{top:0}}", [":user-valid"]],
  ["a{color:color-mix(in srgb,red,var(--text))}", ["color-mix()"]],
  ["a{max-height:4lh;anchor-name:--a}", ["lh", "anchor-name"]],
  ["@starting-style{a{top:0}}", ["@starting-style"]],
  [
    "@supports selector(:has(*)){@media print{a:has(b){top:0}}}c{word-break:auto-phrase}",
    ["word-break: auto-phrase"],
  ],
  ["a:is(b,c)>d::before{content:'';inset:0;translate:1px;height:100dvh;background:var(--text)}", []],
  ["a{-webkit-backdrop-filter:none;backdrop-filter:none}", []],
])("lists of the styles %s what the oldest browsers lack", (sheet, missing) => {
  expect(missingStyles(sheet)).toEqual(missing);
});

/** The features that the notice for older browsers looks for in a browser. */
function neededIn(browser: string): CompatStatement[] {
  const owners: Record<string, string> = { navigator: "Navigator", crypto: "Crypto" };
  const { all, secure, ...ofOne } = NEEDED;
  const own = ofOne[({ edge: "chrome", safari_ios: "safari" }[browser] ?? browser) as keyof typeof ofOne];
  const lookbehind = compatibility.javascript["regular_expressions"]!["lookbehind_assertion"]!.__compat!;
  const paths = [...all, ...secure, ...own].map((path) => path.replace(".prototype", "").split("."));
  return [
    lookbehind,
    ...paths.map(([owner = "", ...names]) => statics.get([owners[owner] ?? owner, ...names].join("."))!),
  ];
}

test.each(OLDEST)("shows the notice for older browsers below $name $version, and not in it", (browser) => {
  const needed = neededIn(browser.name);
  const earlier = Object.keys(compatibility.browsers[browser.name].releases)
    .map(parts)
    .filter((version) => version < browser.version);
  const before = { ...browser, version: Math.max(...earlier) };

  expect(needed.filter((feature) => !hasFeature(feature, browser))).toEqual([]);
  expect(needed.every((feature) => hasFeature(feature, before))).toBe(false);
});

const withEnding = (folder: string, ending: string): string[] =>
  readdirSync(join(BUILD, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(join(BUILD, folder, name), "utf8"));

const inlineScripts = (page: string): string[] =>
  [...page.matchAll(/<script(?![^>]*type="application\/json")[^>]*>([^]*?)<\/script>/g)].map(
    ([, code = ""]) => code,
  );

// `npm test` builds all three first; a single test run may lack some.
// Parsing a megabyte takes seconds on a busy machine.
describe("the oldest supported browsers have each API", { timeout: 60_000 }, () => {
  for (const folder of ["client", "console", "native/client"]) {
    test.runIf(existsSync(join(BUILD, folder)))(`that ${folder} uses`, () => {
      const pages = withEnding(folder, ".html").flatMap(inlineScripts);
      const scripts = [...withEnding(folder, ".js"), ...new Set(pages)];

      expect(scripts.length).toBeGreaterThan(0);
      expect([...new Set(scripts.flatMap(missingIn))].filter((name) => !IGNORED.has(name))).toEqual([]);
    });

    test.runIf(existsSync(join(BUILD, folder)))(`and each style of ${folder}`, () => {
      const sheets = withEnding(folder, ".css");

      expect(sheets.length).toBeGreaterThan(0);
      const missing = new Set(sheets.flatMap(missingStyles));
      expect(
        [...missing].filter((name) => !REFINEMENTS.has(name.split(": ")[0]!) && !REFINEMENTS.has(name)),
      ).toEqual([]);
    });
  }
});
