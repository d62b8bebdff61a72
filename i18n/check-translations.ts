import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse, TYPE, type MessageFormatElement } from "@formatjs/icu-messageformat-parser";
import { findTermProblems, findUnwantedWords } from "./check-terms.ts";
import { flatten } from "./flatten.ts";

const LOCALES = join(import.meta.dirname, "locales");

/** Words that stay in Latin letters in every language: names, units and symbols. */
const UNTRANSLATED_WORDS = new Set(
  (
    "Alcove Google PayPal GPS ID PIN SMS URL QR OK AI IP UTC Android iPhone iOS Safari Chrome Edge Firefox ALTCHA reCAPTCHA " +
    "Markdown LINE Instagram Facebook Twitter TikTok YouTube WhatsApp Telegram WeChat X " +
    "JPEG PNG WebP GIF HEIC SVG MB KB GB px cm mm km kg lb lbs ft in mi JPY USD NT US JP YYYY MM DD HH SS English"
  ).split(" "),
);
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
const ENGLISH_PHRASE = /(?:\b[A-Za-z]{2,}\b[ ,.'’]+){2,}[A-Za-z]{2,}/;

/** Finds missing, empty and English messages, and arguments that differ from the English ones. */
export function findTranslationProblems(translations: Record<string, unknown>): string[] {
  const english = flatten(translations["en"]);
  return Object.entries(translations).flatMap(([language, messages]) => {
    const translated = flatten(messages);
    const keys = new Set([...english.keys(), ...translated.keys()]);
    return [...keys].flatMap((key) => {
      const problem = problemOf(language, english.get(key), translated.get(key));
      return problem ? [`${language}: ${key} ${problem}`] : [];
    });
  });
}

function problemOf(
  language: string,
  english: string | undefined,
  text: string | undefined,
): string | undefined {
  if (english === undefined) return "is not in English";
  if (text === undefined) return "is missing";
  if (text.trim() === "") return "is empty";
  const { names, words } = read(parse(text));
  const expected = read(parse(english)).names.join(", ");
  if (names.join(", ") !== expected) return `takes (${names.join(", ")}), English takes (${expected})`;
  return language !== "en" && isEnglish(words) ? `is left in English: ${text}` : undefined;
}

export const wordsOf = (text: string): string => read(parse(text)).words;

function read(elements: MessageFormatElement[]): { names: string[]; words: string } {
  const parts = elements.map((element) => {
    if (element.type === TYPE.literal) return { names: [], words: element.value };
    if (element.type === TYPE.pound) return { names: [], words: " " };
    if (element.type === TYPE.tag) return withName(`<${element.value}>`, read(element.children));
    if (element.type === TYPE.select || element.type === TYPE.plural)
      return withName(
        element.value,
        read(Object.values(element.options).flatMap((option) => option.value.concat(SPACE))),
      );
    return { names: [element.value], words: " " };
  });
  const names = new Set(parts.flatMap((part) => part.names));
  return { names: [...names].toSorted(), words: parts.map((part) => part.words).join("") };
}

const SPACE: MessageFormatElement = { type: TYPE.literal, value: " " };

function withName(name: string, { names, words }: { names: string[]; words: string }) {
  return { names: [name, ...names], words };
}

function isEnglish(words: string): boolean {
  const prose = words.replace(/[\w.+-]+@[\w.-]+|https?:\S+/g, " ");
  const latin = prose.match(/\p{Script=Latin}+/gu) ?? [];
  const hasForeignWord = latin.some((word) => !UNTRANSLATED_WORDS.has(word));
  return (hasForeignWord && !CJK.test(prose)) || ENGLISH_PHRASE.test(prose);
}

if (import.meta.main) {
  const files = readdirSync(LOCALES).filter((file) => file.endsWith(".json"));
  const translations = Object.fromEntries(
    files.map((file) => [basename(file, ".json"), JSON.parse(readFileSync(join(LOCALES, file), "utf8"))]),
  ) as Record<string, unknown>;
  const problems = [
    ...findTranslationProblems(translations),
    ...findTermProblems(translations),
    ...findUnwantedWords(translations),
  ];
  for (const problem of problems) console.log(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
