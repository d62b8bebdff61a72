/** What stands before a line's own words: indentation, and the marks of quotes, lists and numbers. */
const OPENING = /^(?:[ \t>]|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))+/;
const PIECE = /[ \t>]|[-*+]|\d{1,9}[.)]/g;
/** How far a line may be indented: eight lists within each other, which nobody needs. */
const COLUMNS = 16;
const TAB = 4;

/**
 * Markdown without what nests without end. A few thousand marks would make as many boxes within each other, more than
 * a parser and a browser can hold. Lines keep their words.
 */
export function limitMarkdownNesting(markdown: string): string {
  return markdown
    .split(/\r\n?|\n/)
    .map((line) => line.replace(OPENING, withinColumns))
    .join("\n")
    .replaceAll(/([*_])\1{3,}/g, "$1$1$1"); // three are bold and italic, or a rule
}

function withinColumns(opening: string): string {
  let columns = 0;
  let kept = "";
  for (const [piece] of opening.matchAll(PIECE)) {
    columns += piece === "\t" ? TAB : piece.length;
    if (columns > COLUMNS) break;
    kept += piece;
  }
  return kept;
}
