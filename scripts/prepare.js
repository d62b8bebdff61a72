import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { whileAlone } from "./lock.js";
import { pinnedNode, projectEnvironment } from "./pinned-node.js";
import { hashFiles, listFiles, root } from "./repository.js";
import { runToItsEnd } from "./run-to-its-end.js";

/**
 * @typedef {object} Step
 * @property {string} name
 * @property {string} stamp where the state of the last whole run is kept
 * @property {() => string} state what the outcome depends on, as one value
 * @property {() => boolean} isThere
 * @property {() => Promise<void>} work
 */

/** @type {Step} */
const installation = {
  name: "installing packages",
  stamp: "node_modules/.installed",
  state: () => `${process.platform} ${process.arch} ${hashFiles(packageFiles())}`,
  isThere: () => existsSync(join(root, "node_modules/.package-lock.json")),
  // npm writes that file last: without it an installation is absent or was interrupted
  work: () => run(npm(), [installation.isThere() ? "install" : "ci", "--loglevel=error"]),
};

/** @type {Step} */
const webApp = {
  name: "building the web app",
  stamp: "web/build/.built-from",
  state: () => hashFiles(["package-lock.json", ...sources()]),
  isThere: () => existsSync(join(root, "web/build/client/index.html")),
  work: () => run([pinnedNode(), join(root, "node_modules/@react-router/dev/bin.cjs")], ["build"], "web"),
};

/** Installs what is missing or out of date. */
export async function install() {
  await bringUpToDate(installation);
}

/** Builds the web app when its sources are newer than what was built. */
export async function buildWebApp() {
  if (!existsSync(join(root, "web/app/routes.ts"))) return;
  await bringUpToDate(webApp);
}

/** @param {Step} step */
async function bringUpToDate(step) {
  if (isFresh(step)) return;
  await whileAlone(step.name.replaceAll(" ", "-"), async () => {
    if (isFresh(step)) return; // another process has done it meanwhile
    console.log(`Alcove: ${step.name}`);
    const before = step.state();
    await step.work();
    // an installation may complete the lock file; a source that changed during a build has to be built again
    const after = step === installation ? step.state() : before;
    mkdirSync(dirname(join(root, step.stamp)), { recursive: true });
    writeFileSync(join(root, step.stamp), after);
  });
}

/** @param {Step} step */
function isFresh(step) {
  const stamp = join(root, step.stamp);
  return step.isThere() && existsSync(stamp) && readFileSync(stamp, "utf8") === step.state();
}

function packageFiles() {
  /** @type {{ workspaces: string[] }} */
  const { workspaces } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const files = [
    "package.json",
    "package-lock.json",
    ...workspaces.map((folder) => `${folder}/package.json`),
  ];
  return files.filter((file) => existsSync(join(root, file)));
}

function sources() {
  return ["contract", "i18n", "web"]
    .flatMap((folder) => listFiles(folder))
    .filter((path) => !path.includes(".test."));
}

/** The npm that called us, run by the Node that called us: the project's own Node is what it may be replacing. */
function npm() {
  const caller = process.env.npm_execpath;
  return caller?.endsWith(".js") ? [process.execPath, caller] : ["npm"];
}

/**
 * @param {string[]} program
 * @param {string[]} args
 * @param {string} [folder]
 */
async function run([command = "", ...first], args, folder = "") {
  const everything = [...first, ...args];
  const code = await runToItsEnd(command, everything, { env: projectEnvironment(), cwd: join(root, folder) });
  if (code !== 0) throw new Error(`${[command, ...everything].join(" ")} failed`);
}
