import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { CompatData, CompatStatement, Identifier } from "@mdn/browser-compat-data";
import { parseSync, Visitor, type ESTree } from "vite";
import { describe, expect, test } from "vitest";
import packageJson from "../package.json" with { type: "json" };

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
  // The console offers passkeys only with these.
  "PublicKeyCredential.parseCreationOptionsFromJSON",
  "PublicKeyCredential.parseRequestOptionsFromJSON",
  // Parts of Capacitor's plugins for browsers; the native app calls the device.
  "ClipboardItem",
  "getType",
  "readText",
  "share",
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

/** Whether each of the oldest browsers has the feature. */
function isOld({ support }: CompatStatement): boolean {
  return OLDEST.every(({ name, version }) =>
    [support[name] ?? []].flat().some(({ version_added: from, version_removed: to, flags, prefix }) => {
      const isAdded = typeof from === "string" && from !== "preview" && parts(from) <= version;
      return isAdded && !flags && !prefix && !(typeof to === "string" && parts(to) <= version);
    }),
  );
}

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

const withEnding = (folder: string, ending: string): string[] =>
  readdirSync(join(BUILD, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(ending))
    .map((name) => readFileSync(join(BUILD, folder, name), "utf8"));

const inlineScripts = (page: string): string[] =>
  [...page.matchAll(/<script(?![^>]*type="application\/json")[^>]*>([^]*?)<\/script>/g)].map(
    ([, code = ""]) => code,
  );

// `npm test` builds all three first; a single test run may lack some.
describe("the oldest supported browsers have each API", () => {
  for (const folder of ["client", "console", "native/client"])
    test.runIf(existsSync(join(BUILD, folder)))(`that ${folder} uses`, () => {
      const pages = withEnding(folder, ".html").flatMap(inlineScripts);
      const scripts = [...withEnding(folder, ".js"), ...new Set(pages)];

      expect(scripts.length).toBeGreaterThan(0);
      expect([...new Set(scripts.flatMap(missingIn))].filter((name) => !IGNORED.has(name))).toEqual([]);
    });
});
