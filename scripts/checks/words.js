const LIMIT = 1_000_000;

/**
 * What must not stand in any file that others get: places of one machine, package registries, unfinished work.
 * Spelt in pieces, so that this file may stand too.
 */
const FORBIDDEN = [
  {
    pattern: new RegExp(`(?<![\\w.~-])/(?:${["root", "work", "Users", "home/[a-z]\\w*"].join("|")})/[\\w.-]`),
    what: "a path of one machine",
  },
  {
    pattern: new RegExp(`\\b${["TO/DO", "FIX/ME", "X/XX"].join("\\b|\\b").replaceAll("/", "")}\\b`),
    what: "unfinished work",
  },
  { pattern: new RegExp(`\\bregistry\\.[\\w-]+\\.\\w+|^\\s*registry\\s*=`, "m"), what: "a package registry" },
];

/**
 * @param {Map<string, string>} files text by path from the root
 * @param {string} [registry] address of the registry that this machine installs from
 * @returns {string[]}
 */
export function findForbiddenWords(files, registry) {
  const host = registry ? new URL(registry).host : undefined;
  /** @type {string[]} */
  const problems = [];
  for (const [path, text] of files) {
    if (text.length > LIMIT && path !== "package-lock.json") continue;
    if (path === "package-lock.json") {
      const [resolved] = /"resolved": "[a-z+]+:[^"]*"/.exec(text) ?? [];
      if (resolved) problems.push(`${path}: names where a package came from: ${resolved}`);
      continue;
    }
    for (const { pattern, what } of FORBIDDEN) {
      const match = pattern.exec(text);
      if (match) problems.push(`${path}:${lineOf(text, match.index)}: ${what}: ${match[0].trim()}`);
    }
    if (host && text.includes(host))
      problems.push(`${path}:${lineOf(text, text.indexOf(host))}: a package registry: ${host}`);
  }
  return problems;
}

/**
 * @param {string} text
 * @param {number} index
 */
function lineOf(text, index) {
  return text.slice(0, index).split("\n").length;
}
