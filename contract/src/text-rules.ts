/** The length in Unicode code points, with a line break as one. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** Phones put these around copied numbers and names. */
const DIRECTION_MARKS = /[\u202A-\u202C\u2066-\u2069]/g;

/** Some programs copy soft line breaks and page breaks as these characters. */
const OTHER_LINE_BREAKS = /\r\n?|[\v\f]/g;

export function tidy(text: string): string {
  return text.replaceAll(DIRECTION_MARKS, "").replaceAll(OTHER_LINE_BREAKS, "\n").trim().normalize("NFC");
}

/** Rejects control characters except tab and line break, lone surrogates and direction marks. */
export function hasValidCharacters(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- it rejects control characters
  return (
    text.isWellFormed() &&
    !/[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\u202A-\u202E\u2066-\u2069]/.test(text)
  );
}

/** Text of only spaces, blank Braille and characters without a glyph. */
const INVISIBLE = /^[\s\u2800\p{Default_Ignorable_Code_Point}]*$/u;

export const isVisible = (text: string): boolean => !INVISIBLE.test(text);

/** The start of a line that begins a block of Markdown after any other line. */
const BLOCK_MARKER = /^[ \t]*(?:[#>*+=_~`|-]|\d{1,9}[.)])/;

/** Counts at least the blocks of a Markdown text. */
export function countBlocks(markdown: string): number {
  let count = 0;
  let isAfterBlank = true;
  for (const line of markdown.split("\n")) {
    const isBlank = line.trim() === "";
    if (!isBlank && (isAfterBlank || BLOCK_MARKER.test(line))) count++;
    isAfterBlank = isBlank;
  }
  return count;
}

// RFC 5321 without quoted strings and address literals.
export const EMAIL =
  /^[^\s@"(),:;<>[\]\\\u0000-\u001F\u007F]{1,64}@(?=.{1,253}$)(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+\p{L}[\p{L}\p{N}-]{0,61}[\p{L}\p{N}]$/u;

export const hasValidDots = (email: string): boolean =>
  !email.startsWith(".") && !email.includes("..") && !email.includes(".@");
