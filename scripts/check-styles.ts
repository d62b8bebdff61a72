// npm run check -- styles: CSS modules, beside the components that use them
import { join } from "node:path/posix";
import { listFiles, readText, report } from "./lib/project.js";

const GLOBAL_FOLDER = "web/app/ui/styles/";
const CLASS = /\.(-?[a-zA-Z_][\w-]*)/g;
const ANY = "*";
const IMPORT = /^import (\w+) from "(\.[^"]+\.module\.css)";$/gm;

/** `files` are texts by path from the root. */
export function findStyleProblems(files: ReadonlyMap<string, string>): string[] {
  const sheets = [...files].filter(([path]) => path.endsWith(".css"));
  const modules = sheets.filter(([path]) => path.endsWith(".module.css"));
  const globals = sheets.filter(([path]) => !path.endsWith(".module.css"));
  const used = usedClasses(files);
  const problems = globals
    .filter(([path]) => !path.startsWith(GLOBAL_FOLDER))
    .map(([path]) => `${path}: global styles are in ${GLOBAL_FOLDER} only; name it .module.css`);

  const owners = new Map<string, string>();
  for (const [path, css] of globals)
    for (const name of classesOf(css)) {
      const owner = owners.get(name);
      if (owner) problems.push(`${path}: .${name} is styled in ${owner}, too`);
      owners.set(name, path);
    }
  for (const [path, css] of modules) {
    const own = classesOf(css);
    const taken = used.get(path) ?? new Set<string>();
    for (const name of own)
      if (!taken.has(name) && !taken.has(ANY)) problems.push(`${path}: no component uses .${name}`);
    for (const name of taken)
      if (name !== ANY && !own.has(name))
        problems.push(`${path}: a component uses .${name}, which is missing`);
  }
  for (const path of used.keys())
    if (!files.has(path)) problems.push(`${path}: a component imports it, but it is missing`);
  return problems;
}

/** Without those of `:global(…)`. */
function classesOf(css: string): Set<string> {
  const selectors = css
    .replaceAll(/\/\*[\s\S]*?\*\//g, "")
    .replaceAll(/:global\([^)]*\)/g, "")
    .replaceAll(/\{[^{}]*\}/g, "{}")
    .replaceAll(/@[^{;]*[{;]/g, "");
  return new Set([...selectors.matchAll(CLASS)].map(([, name]) => name!));
}

function usedClasses(files: ReadonlyMap<string, string>): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>();
  for (const [path, code] of files) {
    if (!/\.tsx?$/.test(path)) continue;
    for (const [, name, sheet] of code.matchAll(IMPORT)) {
      const file = join(path, "..", sheet!);
      const names = used.get(file) ?? new Set<string>();
      const places = new RegExp(`\\b${name}(?:\\.(\\w+)|\\[)`, "g");
      for (const [, found = ANY] of code.matchAll(places)) names.add(found);
      used.set(file, names);
    }
  }
  return used;
}

if (import.meta.main) {
  const paths = listFiles("web").filter((path) => /\.(?:css|tsx?)$/.test(path));
  report(findStyleProblems(new Map(paths.map((path) => [path, readText(path)]))));
}
