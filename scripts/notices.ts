// npm run notices: writes the licences of all packages that reach members or servers
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./lib/project.js";

const FILE = "web/public/third-party-notices.txt";
const SHIPPED = ["server", "contract", "i18n", "web", "mobile"];
const LICENCE_FILE = /^(licen[cs]e|copying|notice|ofl)([.-].*)?$/i;
const TITLE = "Package: ";
const RULE = "=".repeat(72);

interface LockedPackage {
  readonly version: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
  readonly peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}

type Locked = Readonly<Record<string, LockedPackage>>;

/** Returns paths of the lock file, for all platforms. */
export function shippedPackages(locked: Locked): string[] {
  const found = new Set<string>();
  const waiting = [...SHIPPED];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta } = locked[path]!;
    const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta?.[name]?.optional);
    for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
      const place = placeOf(locked, path, name);
      if (place === null || locked[place]!.link || found.has(place)) continue;
      found.add(place);
      waiting.push(place);
    }
  }
  return [...found].toSorted();
}

function placeOf(locked: Locked, from: string, name: string): string | null {
  for (let folder = from; ; folder = folder.replace(/(^|\/)node_modules\/(@[^/]+\/)?[^/]+$/, "")) {
    const place = `${folder && `${folder}/`}node_modules/${name}`;
    if (locked[place]) return place;
    if (folder === "") return null;
    if (!folder.includes("node_modules/")) folder = "";
  }
}

const nameOf = (path: string): string =>
  path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

/** Packages of another platform are not installed. */
function licenceTextOf(path: string): string {
  try {
    const folder = join(root, path);
    const files = readdirSync(folder).filter((name) => LICENCE_FILE.test(name));
    return files.map((name) => readFileSync(join(folder, name), "utf8").trim()).join("\n\n");
  } catch {
    return "";
  }
}

function readLock(folder: string): Record<string, LockedPackage> {
  return JSON.parse(readFileSync(join(folder, "package-lock.json"), "utf8")).packages;
}

const titleOf = (locked: Locked, path: string): string =>
  `${nameOf(path)} ${locked[path]!.version} (${locked[path]!.license ?? "see its text"})`;

export function findNoticeProblems(folder: string): string[] {
  const locked = readLock(folder);
  const file = readFileSync(join(folder, FILE), "utf8");
  const listed = new Set(
    file
      .split("\n")
      .filter((line) => line.startsWith(TITLE))
      .map((line) => line.slice(TITLE.length)),
  );
  const titles = new Set(shippedPackages(locked).map((path) => titleOf(locked, path)));
  return [...titles.symmetricDifference(listed)].map((title) => `${FILE}: ${title}; run npm run notices`);
}

function writeNotices(): void {
  const locked = readLock(root);
  const byText = Map.groupBy(shippedPackages(locked), licenceTextOf);
  const sections = [...byText].map(([text, paths]) => {
    const lines = new Set(paths.map((path) => TITLE + titleOf(locked, path)));
    return `${RULE}\n${[...lines].join("\n")}\n\n${text || "The package has no licence file; its licence is named above."}\n`;
  });
  const head = "Alcove contains these packages. Their licences follow.\n";
  writeFileSync(join(root, FILE), [head, ...sections].join("\n"));
}

if (import.meta.main) writeNotices();
