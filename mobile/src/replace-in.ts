import { readFile, writeFile } from "node:fs/promises";

/** Replaces each text once. Throws if the template lacks one, because a new Capacitor may have changed it. */
export async function replaceIn(path: string, pairs: readonly (readonly [string, string])[]): Promise<void> {
  let text = await readFile(path, "utf8");
  for (const [before, after] of pairs) {
    if (!text.includes(before)) throw new Error(`${path} has no ${JSON.stringify(before)}`);
    text = text.replace(before, () => after);
  }
  await writeFile(path, text);
}
