import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { withLock } from "./lock.js";
import { hashFiles, listFiles, pinnedNode, readText, root } from "./project.js";
import { run } from "./run.js";

/** @typedef {{ name: string, stamp: string, result: string, state: () => string, work: () => Promise<number> }} Step */

/** @type {Step} */
const packages = {
  name: "installing packages",
  stamp: "node_modules/.installed",
  result: "node_modules/.package-lock.json",
  state: () => `${process.platform} ${process.arch} ${hashFiles(packageFiles())}`,
  work: async () => {
    const command = existsSync(join(root, packages.result)) ? "install" : "ci";
    const npm = process.env.npm_execpath ?? "";
    // The calling Node runs npm, because npm may replace the installed one.
    const [program, ...args] = npm.endsWith(".js") ? [process.execPath, npm] : ["npm"];
    const code = await run(program ?? "", [...args, command, "--loglevel=error"]);
    if (code === 0) verifyNode(root);
    return code;
  },
};

/** @type {Step} */
const webApp = {
  name: "building the web app",
  stamp: "web/build/.built-from",
  result: "web/build/client/index.html",
  state: () => {
    const sources = ["contract", "i18n", "web"].flatMap(listFiles).filter((path) => !path.includes(".test."));
    return hashFiles(["package-lock.json", ...sources]);
  },
  work: async () => {
    const app = ["build.ts"];
    const operatorConsole = [
      join(root, "node_modules/vite/bin/vite.js"),
      "build",
      "--config",
      "console/vite.config.ts",
    ];
    return (
      (await run(pinnedNode(), app, { folder: "web" })) ||
      (await run(pinnedNode(), operatorConsole, { folder: "web" }))
    );
  },
};

/** @type {Step} */
const nativeApp = {
  ...webApp,
  name: "building the native app's web files",
  stamp: "web/build/native/.built-from",
  result: "web/build/native/client/index.html",
  work: () => run(pinnedNode(), ["build.ts"], { folder: "web", env: { ALCOVE_NATIVE: "1" } }),
};

export async function install() {
  await update(packages);
  writeMessageTypes();
}

function writeMessageTypes() {
  const folder = join(root, "i18n/build");
  mkdirSync(folder, { recursive: true });
  const english = readText("i18n/locales/en.json");
  writeFileSync(join(folder, "english-messages.d.ts"), `export type EnglishMessages = ${english}`);
}

export async function buildWebApp() {
  await update(webApp);
}

export async function buildNativeApp() {
  await update(nativeApp);
}

/**
 * Throws if a packaged Node is not the one that `node-digests.json` names. Its packages are not by the Node project.
 *
 * @param {string} folder
 */
export function verifyNode(folder) {
  /** @type {Record<string, string>} */
  const digests = JSON.parse(readText("scripts/lib/node-digests.json"));
  for (const [file, digest] of Object.entries(digests)) {
    const path = join(folder, file);
    if (existsSync(path) && createHash("sha256").update(readFileSync(path)).digest("hex") !== digest)
      throw new Error(
        `${path} differs from scripts/lib/node-digests.json. Remove node_modules and try again.`,
      );
  }
}

/** @param {Step} step */
async function update(step) {
  if (isCurrent(step)) return;
  await withLock(`${step.name} in ${root}`, async () => {
    if (isCurrent(step)) return;
    console.log(`Alcove: ${step.name}`);
    const before = step.state();
    const code = await step.work();
    if (code !== 0) throw new Error(`${step.name} failed with exit code ${code}`);
    // `npm install` may complete the lock file; a source that changed during a build needs another build
    const state = step === packages ? step.state() : before;
    mkdirSync(dirname(join(root, step.stamp)), { recursive: true });
    writeFileSync(join(root, step.stamp), state);
  });
}

/** @param {Step} step */
function isCurrent({ stamp, result, state }) {
  const file = join(root, stamp);
  return existsSync(join(root, result)) && existsSync(file) && readFileSync(file, "utf8") === state();
}

function packageFiles() {
  /** @type {{ workspaces: string[] }} */
  const { workspaces } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return ["package.json", "package-lock.json", ...workspaces.map((folder) => `${folder}/package.json`)];
}
