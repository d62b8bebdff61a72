import data from "./rules.json" with { type: "json" };

export type WarningLanguage = "en" | "ja" | "zh";

/** Traditional characters, each before its simplified one. */
const simplified = new Map(data.simplified.match(/../gu)!.map((pair) => [pair[0]!, pair[1]!]));
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
const HAN = /\p{Script=Han}/gu;
const ENGLISH_WORD = /[a-z']+|0|[$£€%@:/?!]/gu;

/** Japanese has kana between its characters; a single one may decorate a Chinese sentence. */
export function languageOf(text: string): WarningLanguage {
  const kana = text.match(KANA)?.length ?? 0;
  const han = text.match(HAN)?.length ?? 0;
  if (kana * 5 > han) return "ja";
  return han > 0 ? "zh" : "en";
}

/** Wide and styled characters become plain ones, traditional characters of Chinese simplified ones; invisible ones disappear. */
export function plainText(text: string, language: WarningLanguage): string {
  const plain = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/\p{Cf}/gu, "")
    .replace(/\s+/gu, " ")
    .trim();
  if (language !== "zh") return plain;
  return Array.from(plain, (character) => simplified.get(character) ?? character).join("");
}

/** The words, or characters, of a plain text and its pairs of neighbours. A number counts as 0. */
export function featuresOf(plain: string, language: WarningLanguage): Set<string> {
  const text = plain.replace(/[0-9][0-9.,]*/gu, "0");
  if (language === "en") {
    const words = ["^", ...(text.match(ENGLISH_WORD) ?? []), "$"];
    return new Set([...words, ...words.slice(1).map((word, i) => `${words[i]} ${word}`)]);
  }
  const units = Array.from(text.replace(/\s+/gu, "").replace(/[a-z]+/gu, "L"));
  const latin = text.match(/[a-z]+/gu) ?? [];
  return new Set([...latin, ...units, ...units.slice(1).map((unit, i) => units[i]! + unit)]);
}
