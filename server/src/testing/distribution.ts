import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LOCAL_TABLES } from "../operator/cli/cluster/problems.ts";

const ROW = /\('(?<name>\w+)',\s+(?:'(?<key>\w+)'|null),\s+(?:'(?<beside>\w+)'|null)\)/g;

/** Distribution column and colocation group. A reference table has no key. */
export const KEYS = readKeys(readFileSync(join(import.meta.dirname, "../../../deploy/citus.sql"), "utf8"));

function readKeys(text: string): Record<string, { key: string | null; group: string } | null> {
  const rows = [...text.matchAll(ROW)].map(({ groups }) => groups!);
  const spread = rows.map(({ name, key, beside }) => {
    const group = beside === undefined ? "reference" : beside === "none" ? name! : beside;
    return [name!, { key: key ?? null, group }] as const;
  });
  return Object.fromEntries([...spread, ...LOCAL_TABLES.map((name) => [name, null] as const)]);
}
