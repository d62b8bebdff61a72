import type { Lines, Output } from "./command-line.ts";

const MAX_TABLE_WIDTH = 220;
const WIDE_CHARACTER =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|[\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

const isLines = (facts: Output | readonly Output[] | Lines): facts is Lines =>
  Array.isArray(facts) && typeof facts[0] === "string";

/** Prints one item as `name: value` lines with indented lists, and several items as a table or item by item. */
export function formatOutput(
  facts: Output | readonly Output[] | Lines,
  { hasLongValues = false } = {},
): string {
  if (isLines(facts)) return facts.map((line) => `${line}\n`).join("");
  if (!Array.isArray(facts)) return formatFields(facts as Output);
  const list = facts as readonly Output[];
  if (list.length === 0) return "";
  const table = hasLongValues ? null : formatTable(list);
  return table ?? list.map(formatFields).join("\n");
}

function formatFields(facts: Output): string {
  const lines = Object.entries(facts).map(([name, value]) => {
    if (typeof value !== "object" || value === null)
      return `${name}: ${escapeControls(String(value ?? "-"), "\n  ")}\n`;
    return value.length === 0
      ? `${name}: -\n`
      : `${name}:\n${formatOutput(value).replaceAll(/^(?=.)/gm, "  ")}`;
  });
  return lines.join("");
}

function formatTable(list: readonly Output[]): string | null {
  const names = Object.keys(list[0]!);
  const rows = [
    names,
    ...list.map((facts) =>
      names.map((name) =>
        escapeControls(String((facts[name] as string | number | null | undefined) ?? "-"), " "),
      ),
    ),
  ];
  const widths = names.map((_, column) => Math.max(...rows.map((row) => columnWidth(row[column]!))));
  if (widths.reduce((sum, width) => sum + width + 2) > MAX_TABLE_WIDTH) return null;
  const padded = rows.map((row) =>
    row.map((cell, column) => cell + " ".repeat(widths[column]! - columnWidth(cell))).join("  "),
  );
  return padded.map((line) => `${line.trimEnd()}\n`).join("");
}

/** Keeps member text from controlling the terminal or imitating our output. */
function escapeControls(value: string, lineBreak: string): string {
  // oxlint-disable-next-line no-control-regex -- it removes them
  return value
    .replaceAll(/\r?\n/g, lineBreak)
    .replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}

/** Terminal columns: two for East Asian characters and emoji, none for combining marks. */
function columnWidth(text: string): number {
  let width = 0;
  for (const character of text)
    width += /\p{M}|\u200d/u.test(character) ? 0 : WIDE_CHARACTER.test(character) ? 2 : 1;
  return width;
}
