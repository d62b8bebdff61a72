import { posix } from "node:path";
import { isBuiltin } from "node:module";
import { listFiles, readText, report } from "../lib/project.js";

/**
 * Who may import whom. A group is a folder of the layout; `<one>` in a pattern is that folder's own name.
 *
 * @type {{ group: string, files: RegExp, mayImport: string[], instead: string }[]}
 */
const RULES = [
  {
    group: "contract",
    files: /^contract\//,
    mayImport: [],
    instead: "the contract stands alone: move the shared part into contract/",
  },
  {
    group: "i18n",
    files: /^i18n\//,
    mayImport: [],
    instead: "the translations stand alone: pass what they need as an argument",
  },
  {
    group: "settings",
    files: /^server\/src\/settings\.ts$/,
    mayImport: ["contract", "i18n", "platform"],
    instead: "settings know no feature: let the feature read its setting from deps",
  },
  {
    group: "platform",
    files: /^server\/src\/platform\//,
    mayImport: ["contract", "i18n", "settings", "outside", "migrations"],
    instead: "platform knows no feature: let app.ts or a feature pass it in",
  },
  {
    group: "outside",
    files: /^server\/src\/outside\//,
    mayImport: ["contract", "i18n", "settings", "platform"],
    instead: "adapters know no feature: let the feature pass in what they need",
  },
  {
    group: "migrations",
    files: /^server\/migrations\//,
    mayImport: ["platform"],
    instead: "a migration must not change with the code: write the value into it",
  },
  {
    group: "testing",
    files: /^server\/src\/testing\//,
    mayImport: ["*"],
    instead: "",
  },
  {
    group: "app",
    files: /^server\/src\/(?:app|service)\.ts$/,
    mayImport: [
      "contract",
      "i18n",
      "settings",
      "platform",
      "outside",
      "feature index",
      "feature routes",
      "migrations",
    ],
    instead: "app.ts is a table of contents: import the feature's routes.ts or index.ts",
  },
  {
    group: "main",
    files: /^server\/src\/main\.ts$/,
    mayImport: [
      "contract",
      "i18n",
      "settings",
      "platform",
      "outside",
      "app",
      "demo",
      "feature index",
      "test-services",
      "migrations",
    ],
    instead: "import the feature's index.ts, and export there what is missing",
  },
  {
    group: "operator",
    files: /^server\/src\/operator\//,
    mayImport: ["contract", "i18n", "settings", "platform", "outside", "app", "feature index", "migrations"],
    instead: "import the feature's index.ts, and export there what is missing",
  },
  {
    group: "demo",
    files: /^server\/src\/demo\//,
    mayImport: ["contract", "i18n", "settings", "platform", "outside", "app", "feature index"],
    instead: "import the feature's index.ts, and export there what is missing",
  },
  {
    group: "feature",
    files: /^server\/src\/(?<one>[^/]+)\//,
    mayImport: ["contract", "i18n", "settings", "platform", "outside", "own feature", "feature index"],
    instead: "import the other feature's index.ts, and export there what is missing",
  },
  {
    group: "web testing",
    files: /^web\/app\/(?:testing\/|.*\.test\.tsx$)/,
    mayImport: ["*"],
    instead: "",
  },
  {
    group: "web ui",
    files: /^web\/app\/ui\//,
    mayImport: ["i18n"],
    instead: "the kit knows only i18n: take the value or the handler as a property",
  },
  {
    group: "web lib",
    files: /^web\/app\/lib\//,
    mayImport: ["contract", "i18n", "web device"],
    instead: "lib knows neither screens nor the kit: let the screen put them together",
  },
  {
    group: "web device",
    files: /^web\/app\/device\//,
    mayImport: ["contract", "i18n"],
    instead: "device knows only contract and i18n: pass in what it needs",
  },
  {
    group: "web realtime",
    files: /^web\/app\/realtime\//,
    mayImport: ["contract", "i18n", "web lib", "web device"],
    instead: "realtime knows neither features nor the kit: publish an event",
  },
  {
    group: "web feature",
    files: /^web\/app\/features\/(?<one>[^/]+)\b/,
    mayImport: ["contract", "i18n", "web ui", "web lib", "web device", "web realtime", "own feature"],
    instead: "a feature never knows another one: let the route put the two together",
  },
  {
    group: "web app",
    files: /^web\//,
    mayImport: [
      "contract",
      "i18n",
      "web app",
      "web ui",
      "web lib",
      "web device",
      "web realtime",
      "web feature",
    ],
    instead: "the web app knows the server only through contract/",
  },
  {
    group: "test-services",
    files: /^test-services\//,
    mayImport: ["contract", "i18n"],
    instead: "a stand-in speaks the wire format and knows nothing of the server's inside",
  },
  {
    group: "bench",
    files: /^bench\//,
    mayImport: ["contract", "i18n", "test-services"],
    instead: "measure from outside: use the calls of contract/",
  },
  {
    group: "e2e",
    files: /^e2e\//,
    mayImport: ["contract", "i18n", "test-services"],
    instead: "walk through the page as a member does, or use the calls of contract/",
  },
  {
    group: "mobile",
    files: /^mobile\//,
    mayImport: ["contract", "i18n"],
    instead: "the wrapper knows only contract and i18n",
  },
  {
    group: "scripts",
    files: /^scripts\//,
    mayImport: [],
    instead: "scripts run before anything is installed: use Node's own modules",
  },
];

const IMPORT =
  /\b(?:import|export)\b(?:[\w\s{},*$]*?\bfrom)?\s*["']([^"']+)["']|\bimport\(\s*["']([^"']+)["']/g;
const WORKSPACES = ["contract", "i18n", "server", "web", "test-services", "e2e", "bench", "mobile"];

/**
 * Every import that the layout forbids, each with what to do instead, and every circle of features.
 *
 * @param {Map<string, string>} files source text by path from the root
 * @returns {string[]}
 */
export function findBrokenImports(files) {
  /** @type {string[]} */
  const problems = [];
  /** @type {Map<string, Map<string, string>>} */
  const featureGraph = new Map();

  for (const [path, source] of files) {
    const from = placeOf(path);
    if (!from) continue;
    for (const specifier of importsOf(source)) {
      const target = resolve(path, specifier, files);
      const problem =
        target === undefined ? problemOfPackage(from, specifier) : problemOfFile(path, from, target);
      if (problem) problems.push(`${path}: ${problem}`);

      const to = target === undefined ? undefined : placeOf(target);
      const joinsFeatures = from.group === "feature" && to?.group === "feature" && from.one !== to.one;
      if (joinsFeatures && !isTest(path)) edgesOf(featureGraph, from.one).set(to.one, path);
    }
  }
  return [...problems, ...findCircles(featureGraph)];
}

/**
 * What a source text imports, whether values, types or later.
 *
 * @param {string} source
 */
export function importsOf(source) {
  const code = source.replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, "$1");
  const specifiers = [...code.matchAll(IMPORT)].map((match) => match[1] ?? match[2] ?? "");
  return specifiers.filter((specifier) => !specifier.includes("${")); // a program's text within a text
}

/** @param {string} path */
function placeOf(path) {
  for (const rule of RULES) {
    const match = rule.files.exec(path);
    if (match) return { ...rule, one: match.groups?.one ?? "" };
  }
  return undefined;
}

/**
 * The file of ours that is meant, or undefined for a package.
 *
 * @param {string} path
 * @param {string} specifier
 * @param {Map<string, string>} files
 */
function resolve(path, specifier, files) {
  const [, workspace = "", inside] = /^@alcove\/([^/]+)(?:\/(.+))?$/.exec(specifier) ?? [];
  if (WORKSPACES.includes(workspace)) return `${workspace}/src/${inside ?? "index"}.ts`;
  if (specifier.startsWith("~/")) return existing(`web/app/${specifier.slice(2)}`, files);
  if (!specifier.startsWith(".") || specifier.includes("/+types/")) return undefined;
  return existing(posix.join(posix.dirname(path), specifier), files);
}

/**
 * @param {string} path
 * @param {Map<string, string>} files
 */
function existing(path, files) {
  const endings = ["", ".ts", ".tsx", "/index.ts", "/index.tsx"];
  const found = endings.map((ending) => path + ending).find((candidate) => files.has(candidate));
  return found ?? path;
}

/**
 * @param {{ group: string, instead: string }} from
 * @param {string} specifier
 */
function problemOfPackage(from, specifier) {
  const isDependency = !specifier.startsWith(".") && !isBuiltin(specifier);
  if (from.group !== "scripts" || !isDependency || specifier === "vitest") return undefined;
  return `imports ${specifier}; instead: ${from.instead}`;
}

/**
 * @param {string} path
 * @param {NonNullable<ReturnType<typeof placeOf>>} from
 * @param {string} target
 */
function problemOfFile(path, from, target) {
  const to = placeOf(target);
  if (!to || from.mayImport.includes("*")) return undefined;
  const isOwn = from.group === to.group && from.one === to.one;
  if (isOwn || from.mayImport.some((name) => covers(name, to, target))) return undefined;

  if (
    isTest(path) &&
    path.startsWith("server/") &&
    ["testing", "test-services", "migrations"].includes(to.group)
  )
    return undefined;
  if (to.group === "testing") return `imports ${target}; instead: only tests may use server/src/testing`;
  return `imports ${target}; instead: ${from.instead}`;
}

/**
 * @param {string} name of what a group may import
 * @param {{ group: string }} to
 * @param {string} target
 */
function covers(name, to, target) {
  if (name === "feature index") return to.group === "feature" && target.endsWith("/index.ts");
  if (name === "feature routes") return to.group === "feature" && target.endsWith("/routes.ts");
  return name === to.group;
}

/** @param {string} path */
function isTest(path) {
  return /\.test\.tsx?$/.test(path);
}

/**
 * @param {Map<string, Map<string, string>>} graph
 * @param {string} feature
 */
function edgesOf(graph, feature) {
  const edges = graph.get(feature) ?? new Map();
  graph.set(feature, edges);
  return edges;
}

/**
 * Each circle once, with a file that closes it.
 *
 * @param {Map<string, Map<string, string>>} graph
 */
function findCircles(graph) {
  /** @type {Map<string, string>} */
  const circles = new Map();

  /** @param {string[]} way */
  function walk(way) {
    for (const [next, file] of graph.get(way.at(-1) ?? "") ?? []) {
      const start = way.indexOf(next);
      if (start === -1) {
        walk([...way, next]);
        continue;
      }
      const circle = way.slice(start);
      const name = circle.toSorted().join(" ");
      const drawn = [...circle, next].join(" -> ");
      if (!circles.has(name)) {
        circles.set(
          name,
          `${file}: closes a circle of features, ${drawn}; instead: let one of them register with deps.consequences`,
        );
      }
    }
  }
  for (const feature of graph.keys()) walk([feature]);
  return [...circles.values()];
}

if (import.meta.main) {
  const folders = ["contract", "i18n", "server", "web", "test-services", "e2e", "bench", "scripts"];
  const paths = folders
    .flatMap(listFiles)
    .filter((path) => /\.(?:ts|tsx|js)$/.test(path) && !/^scripts\/check/.test(path));
  report(findBrokenImports(new Map(paths.map((path) => [path, readText(path)]))));
}
