import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { root } from "./lib/project.js";

const KB = 1_024;
/** Of the script of a first load, with gzip. */
const LIMITS = {
  login: { bytes: 150 * KB, files: 12 },
  home: { bytes: 171 * KB, files: 12 },
} as const;

const BUILD = join(root, "web/build");
const FIRST_LOADS = join(BUILD, "first-load.json");

// `npm test` builds the web app first; a single test run may lack it.
describe.runIf(existsSync(FIRST_LOADS))("the built web app", () => {
  test.each(["login", "home"] as const)("loads little script for %s", (screen) => {
    const { [screen]: chunks = [] } = JSON.parse(readFileSync(FIRST_LOADS, "utf8")) as Record<
      string,
      string[]
    >;
    const routes = readdirSync(join(BUILD, "client/assets")).filter((file) => file.startsWith("manifest-"));
    const files = [...chunks, ...routes.map((file) => `assets/${file}`)];
    const bytes = files.map((file) => gzipSync(readFileSync(join(BUILD, "client", file))).length);

    expect(routes).toHaveLength(1);
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(LIMITS[screen].bytes);
    expect(files.length).toBeLessThanOrEqual(LIMITS[screen].files);
  });
});
