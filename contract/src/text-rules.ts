/** The length in Unicode code points, with a line break as one. */
export function lengthOf(text: string): number {
  let length = 0;
  for (const _ of text) length++;
  return length;
}

/** The longest start of a text with at most `max` code points that ends between two characters as readers see them. */
export function cut(text: string, max: number): string {
  if (text.length <= max) return text;
  let end = 0;
  let length = 0;
  // Firefox below 125 has no segmenter.
  const characters =
    "Segmenter" in Intl
      ? new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text)
      : Array.from(text, (segment) => ({ segment }));
  for (const { segment } of characters) {
    length += lengthOf(segment);
    if (length > max) break;
    end += segment.length;
  }
  return text.slice(0, end);
}

/** Editors copy soft line breaks, page breaks and ends of paragraphs as these. */
const LINE_BREAKS = /\r\n?|[\v\f\u0085\u2028\u2029]/g;

/** Word's hyphen that does not break. */
const WORD_HYPHEN = /\u001E/g;
const HYPHENS = /[\p{Pd}\u2212\u001E]/gu;

/** Scripts with joined characters. */
const JOINED =
  "Arab Syrc Nkoo Mand Mong Phag Deva Beng Guru Gujr Orya Taml Telu Knda Mlym Sinh Khmr Mymr Tibt"
    .split(" ")
    .map((script) => String.raw`\p{Script_Extensions=${script}}`)
    .join("");

/** Characters without a glyph that change the meaning of a text. */
const NEEDED = [
  String.raw`\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{1,6}\u{E007F}`, // flags of regions
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F\u{E007F}])\u200D(?=\p{Extended_Pictographic})`,
  String.raw`(?<=[${JOINED}])[\u200C\u200D](?=[${JOINED}])`,
  String.raw`(?<=\p{Script_Extensions=Arab})\u200D`, // abbreviations end with a joiner
  String.raw`(?<=[\p{Emoji}\p{S}\p{Lo}])\p{Variation_Selector}`,
].join("|");

/** Control characters, and characters without a glyph except the blanks of Korean and Khmer. */
const UNSEEN = String.raw`(?![\t\n\u061C\u200E\u200F\u115F\u1160\u17B4\u17B5\u3164\uFFA0])[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}\u202A-\u202E\u2066-\u2069\uFFF9-\uFFFC]`;

/** Turns the reading direction of its neighbours. */
const MARKS = String.raw`[\u061C\u200E\u200F]`;

const RIGHT_TO_LEFT =
  /(?=\p{L})[\p{Script=Hebr}\p{Script=Arab}\p{Script=Syrc}\p{Script=Thaa}\p{Script=Nkoo}\p{Script=Adlm}]/u;

export const hasRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text);

const NEEDED_OR_UNSEEN = new RegExp(`(${NEEDED})|${UNSEEN}`, "gu");
const NEEDED_OR_UNSEEN_OR_MARK = new RegExp(`(${NEEDED})|${UNSEEN}|${MARKS}`, "gu");
const EVERY_UNSEEN = new RegExp(`${UNSEEN}|${MARKS}`, "gu");

/** Longer input exceeds every limit anyway, and is slow to fold. */
const TIDIED_MAX = 40_000;
const FOLDED_MAX = 1_000;

/**
 * Drops from a written text what copying added and no reader sees: control characters, zero-width characters, soft
 * hyphens, marks of direction. Those within emoji, of scripts that need them and between right-to-left words stay.
 */
export function tidy(text: string): string {
  if (text.length > TIDIED_MAX) return text;
  const broken = text.replaceAll(LINE_BREAKS, "\n").replaceAll(WORD_HYPHEN, "-");
  const unseen = hasRightToLeft(broken) ? NEEDED_OR_UNSEEN : NEEDED_OR_UNSEEN_OR_MARK;
  return broken
    .replaceAll(unseen, (_, needed?: string) => needed ?? "")
    .trim()
    .normalize("NFC");
}

/** Raised, lowered, enclosed or broken numbers and characters: `10²` is not 102. */
const OTHER_NUMBERS =
  "\\xB2\\xB3\\xB9\\xBC-\\xBE\\u2070-\\u209F\\u2150-\\u218F\\u2460-\\u24FF\\u3200-\\u33FF\\u{1F100}-\\u{1F1FF}";
const FOLDABLE = new RegExp(`[^${OTHER_NUMBERS}]+`, "gu");

/** Folds a typed id, address, code or number: full-width forms, kinds of hyphens, unseen characters and outer spaces. */
export function foldTyped(text: string): string {
  if (text.length > FOLDED_MAX) return text;
  const folded = text.replaceAll(FOLDABLE, (part) => part.normalize("NFKC"));
  return folded.replaceAll(HYPHENS, "-").replaceAll(EVERY_UNSEEN, "").trim();
}

/** Text of only spaces, accents alone, and characters that look blank: of Braille, musical notes and hieroglyphs. */
const INVISIBLE = /^[\s\u2800\u{1D159}\u{13441}\u{13442}\p{M}\p{Default_Ignorable_Code_Point}]*$/u;

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
