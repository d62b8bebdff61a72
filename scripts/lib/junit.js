import { existsSync, readFileSync } from "node:fs";

/**
 * Reads a JUnit report, which vitest and Playwright both write.
 *
 * @param {string} file
 */
export function readReport(file) {
  const report = existsSync(file) ? readFileSync(file, "utf8") : "";
  const tests = [...report.matchAll(/<testcase ([^>]*?)(?:\/>|>(.*?)<\/testcase>)/gs)];
  const failures = tests
    .filter(([, , body]) => /<(?:failure|error)\b/.test(body ?? ""))
    .map(
      ([, attributes = ""]) => `${attributeOf(attributes, "classname")} > ${attributeOf(attributes, "name")}`,
    );
  const skipped = tests.filter(([, , body]) => /<skipped\b/.test(body ?? "")).length;
  return { passed: tests.length - failures.length - skipped, failed: failures.length, skipped, failures };
}

/** @type {Record<string, string>} */
const ENTITIES = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&" };

/**
 * @param {string} attributes
 * @param {string} name
 */
function attributeOf(attributes, name) {
  const [, value = ""] = new RegExp(`\\b${name}="([^"]*)"`).exec(attributes) ?? [];
  return value.replace(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity);
}
