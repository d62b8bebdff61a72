import type { Facts, Told } from "./command-line.ts";

/** Wider tables are read better thing by thing. */
const WIDEST = 220;
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/**
 * What an act tells, to be read by people: one thing as `name: value` lines with its lists indented below their names, several
 * as a table, wordy ones one by one.
 */
export function spell(facts: Told | readonly Facts[], { isWordy = false } = {}): string {
  if (!Array.isArray(facts)) return linesOf(facts as Told);
  const list = facts as readonly Facts[];
  if (list.length === 0) return "";
  const table = isWordy ? null : tableOf(list);
  return table ?? list.map(linesOf).join("\n");
}

function linesOf(facts: Told): string {
  const lines = Object.entries(facts).map(([name, value]) => {
    if (typeof value === "string" || value === null) return `${name}: ${harmless(value ?? "-", "\n  ")}\n`;
    return value.length === 0 ? `${name}: -\n` : `${name}:\n${spell(value).replaceAll(/^(?=.)/gm, "  ")}`;
  });
  return lines.join("");
}

/** Null where it would be too wide. */
function tableOf(list: readonly Facts[]): string | null {
  const names = Object.keys(list[0]!);
  const rows = [names, ...list.map((facts) => names.map((name) => harmless(facts[name] ?? "-", " ")))];
  const widths = names.map((_, column) => Math.max(...rows.map((row) => widthOf(row[column]!))));
  if (widths.reduce((sum, width) => sum + width + 2) > WIDEST) return null;
  const padded = rows.map((row) =>
    row.map((cell, column) => cell + " ".repeat(widths[column]! - widthOf(cell))).join("  "),
  );
  return padded.map((line) => `${line.trimEnd()}\n`).join("");
}

/** What members wrote cannot steer the terminal, nor look like a line of ours. */
function harmless(value: string, lineBreak: string): string {
  // oxlint-disable-next-line no-control-regex -- those are what is looked for
  return value
    .replaceAll(/\r?\n/g, lineBreak)
    .replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}

/** How many columns a text takes: East Asian letters and pictures two, what stands upon a letter none. */
function widthOf(text: string): number {
  let width = 0;
  for (const letter of text) width += /\p{M}|\u200d/u.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1;
  return width;
}
