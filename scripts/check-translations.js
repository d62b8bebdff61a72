import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseIcuMessage } from "./icu-message.js";
import { root } from "./repository.js";

const LOCALES = join(root, "i18n/locales");
const DECLARATION = "i18n/locales/en.d.ts";
const WRITE_COMMAND = "node scripts/check-translations.js --write";

/** Words that stay in Latin letters in every language: names, units and symbols. */
const UNTRANSLATED_WORDS = new Set(
  (
    "Alcove Google PayPal GPS ID SMS URL QR OK AI IP UTC Android iPhone iOS Safari Chrome ALTCHA reCAPTCHA " +
    "Markdown LINE Instagram Facebook Twitter TikTok YouTube WhatsApp Telegram WeChat X " +
    "JPEG PNG WebP GIF HEIC SVG MB KB GB px cm mm km kg lb lbs ft in mi JPY USD YYYY MM DD HH SS English"
  ).split(" "),
);

const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** @returns {string[]} */
export function checkTranslations() {
  const files = readdirSync(LOCALES).filter((name) => name.endsWith(".json"));
  const languages = files.map((name) => name.slice(0, -".json".length));
  const translations = Object.fromEntries(languages.map((language) => [language, readLocale(language)]));
  const problems = findTranslationProblems(translations);
  if (readFileSync(join(root, DECLARATION), "utf8") !== declarationOf(translations.en))
    problems.push(`${DECLARATION} differs from en.json: run ${WRITE_COMMAND}`);
  return problems;
}

/**
 * Finds messages that are missing, empty or left in English, or whose arguments differ from the English ones.
 *
 * @param {Record<string, unknown>} translations by language
 * @returns {string[]}
 */
export function findTranslationProblems(translations) {
  const english = flatten(translations.en);
  if (english.size === 0) return ["en: there is no message in i18n/locales/en.json"];
  const problems = [...english]
    .filter(([, text]) => text.trim() === "")
    .map(([key]) => `en: ${key} is empty`);
  for (const [language, messages] of Object.entries(translations)) {
    if (language !== "en") problems.push(...compare(language, english, flatten(messages)));
  }
  return problems;
}

/**
 * @param {string} language
 * @param {Map<string, string>} english
 * @param {Map<string, string>} translated
 */
function compare(language, english, translated) {
  const problems = [...translated.keys()]
    .filter((key) => !english.has(key))
    .map((key) => `${language}: ${key} is not in English`);
  for (const [key, original] of english) {
    const problem = problemOf(original, translated.get(key));
    if (problem) problems.push(`${language}: ${key} ${problem}`);
  }
  return problems;
}

/**
 * @param {string} original
 * @param {string | undefined} text
 */
function problemOf(original, text) {
  if (text === undefined) return "is missing";
  if (text.trim() === "") return "is empty";
  const { names, words } = parseIcuMessage(text);
  const actual = names.join(", ");
  const expected = parseIcuMessage(original).names.join(", ");
  if (actual !== expected) return `takes (${actual}), English takes (${expected})`;
  return isLeftInEnglish(words) ? `is left in English: ${text}` : undefined;
}

/**
 * The messages by their key, `namespace.name`.
 *
 * @param {unknown} value
 * @param {string} [key]
 * @returns {Map<string, string>}
 */
function flatten(value, key = "") {
  if (typeof value === "string") return new Map([[key, value]]);
  /** @type {Map<string, string>} */
  const messages = new Map();
  for (const [name, inner] of Object.entries(value ?? {})) {
    for (const [path, text] of flatten(inner, key ? `${key}.${name}` : name)) messages.set(path, text);
  }
  return messages;
}

/** @param {string} words */
function isLeftInEnglish(words) {
  const prose = words.replace(/[\w.+-]+@[\w.-]+|https?:\S+/g, " ");
  const latin = prose.match(/\p{Script=Latin}+/gu) ?? [];
  const hasEnglishPhrase = /(?:\b[A-Za-z]{2,}\b[ ,.'’]+){2,}[A-Za-z]{2,}/.test(prose);
  return (latin.some((word) => !UNTRANSLATED_WORDS.has(word)) && !CJK.test(prose)) || hasEnglishPhrase;
}

/** @param {string} language */
function readLocale(language) {
  return JSON.parse(readFileSync(join(LOCALES, `${language}.json`), "utf8"));
}

/**
 * TypeScript widens the strings of a JSON file. Literal types let use-intl check the arguments of each message.
 *
 * @param {unknown} english
 */
function declarationOf(english) {
  const type = JSON.stringify(english, null, 2);
  return `// Generated from en.json: ${WRITE_COMMAND}\nexport type EnglishMessages = ${type};\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes("--write"))
    writeFileSync(join(root, DECLARATION), declarationOf(readLocale("en")));
  const problems = checkTranslations();
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
