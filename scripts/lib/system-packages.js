import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { withLock } from "./lock.js";
import { projectEnvironment } from "./project.js";

const PLAYWRIGHT_CACHES = [
  ".cache/ms-playwright",
  "Library/Caches/ms-playwright",
  "AppData/Local/ms-playwright",
];
const hasPlaywrightBrowser = PLAYWRIGHT_CACHES.some((folder) => existsSync(join(homedir(), folder)));
const isLinux = process.platform === "linux";

const PACKAGES = [
  { part: "unit", name: "nats-server", isThere: hasProgram("nats-server") },
  { part: "unit", name: "aapt", isThere: !isLinux || hasProgram("aapt2") },
  { part: "unit", name: "openssl", isThere: hasProgram("openssl") },
  { part: "unit", name: "caddy", isThere: hasProgram("caddy") },
  { part: "e2e", name: "caddy", isThere: hasProgram("caddy") },
  { part: "image", name: "buildah", isThere: hasProgram("buildah") },
  { part: "image", name: "debootstrap", isThere: hasProgram("debootstrap") },
  { part: "unit", name: "prometheus", isThere: hasProgram("promtool") },
  { part: "e2e", name: "chromium", isThere: hasPlaywrightBrowser || existsSync("/usr/bin/chromium") },
  {
    part: "e2e",
    name: "chromium-headless-shell",
    isThere: hasPlaywrightBrowser || existsSync("/usr/bin/chromium-headless-shell"),
    isOptional: true,
  },
  {
    part: "e2e",
    name: "firefox-esr",
    isThere: hasProgram("firefox-esr") || hasProgram("firefox") || existsSync("/Applications/Firefox.app"),
  },
  {
    part: "e2e",
    name: "fonts-noto-cjk",
    isThere: !isLinux || (spawnSync("fc-list", [":lang=ja"]).stdout?.length ?? 0) > 0,
  },
];

/**
 * Installs missing programs and fonts by apt; throws the command to type where that fails.
 *
 * @param {string[]} parts of the tests
 */
export async function installSystemPackages(parts) {
  const missing = PACKAGES.filter(({ part, isThere }) => parts.includes(part) && !isThere);
  const required = [...new Set(missing.filter(({ isOptional }) => !isOptional).map(({ name }) => name))];
  const isRoot = process.getuid?.() === 0;
  const canInstall = hasProgram("apt-get") && (isRoot || spawnSync("sudo", ["-n", "true"]).status === 0);
  if (!canInstall && required.length > 0)
    throw new Error(
      `The tests need ${required.join(", ")}. Type this command, then run them again:\n${commandFor(required)}`,
    );
  if (!canInstall || missing.length === 0) return;

  await withLock("installing system packages", async () => {
    if (required.length > 0) apt(isRoot, ["update", "-qq"]);
    const optional = missing
      .filter(({ name, isOptional }) => isOptional && isAvailable(name))
      .map(({ name }) => name);
    const names = [...required, ...optional];
    if (names.length > 0) apt(isRoot, ["install", "-qq", "-y", "--no-install-recommends", ...names]);
  });
}

/**
 * @param {boolean} isRoot
 * @param {string[]} args
 */
function apt(isRoot, args) {
  const command = [
    ...(isRoot ? [] : ["sudo", "-n"]),
    "env",
    "DEBIAN_FRONTEND=noninteractive",
    "apt-get",
    ...args,
  ];
  console.log(`Alcove: ${command.join(" ")}`);
  const { status, stdout, stderr } = spawnSync(command[0] ?? "", command.slice(1), { encoding: "utf8" });
  if (status !== 0) throw new Error(`${command.join(" ")} failed:\n${stdout}${stderr}`);
}

/** @param {string} name */
function isAvailable(name) {
  return spawnSync("apt-cache", ["show", "--quiet", name]).status === 0;
}

/** @param {string[]} names */
function commandFor(names) {
  return hasProgram("apt-get")
    ? `sudo apt-get update && sudo apt-get install -y --no-install-recommends ${names.join(" ")}`
    : "brew install caddy nats-server prometheus && brew install --cask firefox && npx playwright install chromium";
}

/** @param {string} name */
function hasProgram(name) {
  return projectEnvironment()
    .PATH.split(delimiter)
    .some((folder) => existsSync(join(folder, name)));
}
