/** The indentation and the markers of quotes and lists at the start of a line. */
const LINE_START = /^(?:[ \t>]|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))+/;
const MARKER = /[ \t>]|[-*+]|\d{1,9}[.)]/g;
/** Columns: room for eight nested lists. */
const COLUMNS_MAX = 16;
const TAB = 4;

/**
 * Limits nested quotes, lists and emphasis. Thousands of markers would exceed the stack of the parser and the
 * browser. Lines keep their words.
 */
export function limitMarkdownNesting(markdown: string): string {
  return markdown
    .split(/\r\n?|\n/)
    .map((line) => line.replace(LINE_START, withinColumns))
    .join("\n")
    .replaceAll(/([*_])\1{3,}/g, "$1$1$1"); // three mean bold and italic, or a rule
}

function withinColumns(lineStart: string): string {
  let columns = 0;
  let limited = "";
  for (const [marker] of lineStart.matchAll(MARKER)) {
    columns += marker === "\t" ? TAB : marker.length;
    if (columns > COLUMNS_MAX) break;
    limited += marker;
  }
  return limited;
}
