// Builds Citus from a checkout into a copy of PostgreSQL, so that the system's stays as it is
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join, resolve } from "node:path";
import { root } from "./project.js";

const FOLDER = join(root, ".cache/citus");
const BIN = "lib/postgresql/15/bin";
const NEEDED = [BIN, "lib/postgresql/15/lib", "share/postgresql/15", "include/postgresql"];

/**
 * @param {string} source a checkout of citusdata/citus, branch release-13.1
 * @param {string} bin PostgreSQL 15 with its headers
 * @returns {string | null} the folder of programs with the extension, or null without the headers
 */
export function buildCitus(source, bin) {
  const prefix = resolve(bin, "../../../..");
  const headers = join(prefix, "include/postgresql/15/server");
  if (!existsSync(join(headers, "postgres.h"))) return null;
  const revision = execFileSync("git", ["-C", source, "rev-parse", "HEAD"], { encoding: "utf8" });
  const done = join(FOLDER, "revision");
  const built = join(FOLDER, "usr", BIN);
  if (existsSync(done) && readFileSync(done, "utf8") === revision) return built;

  rmSync(FOLDER, { recursive: true, force: true });
  for (const part of NEEDED)
    cpSync(join(prefix, part), join(FOLDER, "usr", part), { recursive: true, dereference: true });
  const code = join(FOLDER, "source");
  execFileSync("git", ["clone", "--quiet", "--config=advice.detachedHead=false", source, code]);
  leaveOutDuplicate(code, headers);
  const run = (/** @type {string} */ command, /** @type {string[]} */ args) =>
    execFileSync(command, args, { cwd: code, stdio: ["ignore", "ignore", "inherit"] });
  run("./configure", [`PG_CONFIG=${join(built, "pg_config")}`, "--without-libcurl"]);
  run("make", ["with_llvm=no", `-j${cpus().length}`, "extension"]);
  run("make", ["with_llvm=no", "install"]);
  writeFileSync(done, revision);
  return built;
}

/**
 * PostgreSQL 15.19 and newer export a function that Citus 13.1 defines itself.
 *
 * @param {string} code
 * @param {string} headers
 */
function leaveOutDuplicate(code, headers) {
  if (!readFileSync(join(headers, "commands/dbcommands.h"), "utf8").includes("have_createdb_privilege"))
    return;
  const file = join(code, "src/include/pg_version_compat.h");
  const text = readFileSync(file, "utf8");
  const definition = /static inline bool\nhave_createdb_privilege\(void\)\n\{[^]*?\n\}\n/;
  writeFileSync(file, text.replace(definition, '#include "commands/dbcommands.h"\n'));
}
