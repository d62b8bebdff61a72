import { readMessage } from "./message.js";

/** Words that stay in Latin letters in every language: names, units and signs. */
const SAME_EVERYWHERE = new Set(
  (
    "Alcove Google PayPal GPS ID SMS URL QR OK AI IP UTC Android iPhone iOS Safari Chrome ALTCHA reCAPTCHA " +
    "Markdown LINE Instagram Facebook Twitter TikTok YouTube WhatsApp Telegram WeChat X " +
    "JPEG PNG WebP GIF HEIC SVG MB KB GB px cm mm km kg lb lbs ft in mi JPY USD YYYY MM DD HH SS English"
  ).split(" "),
);

const OWN_SCRIPT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;

/**
 * Every sentence that is missing, empty, left in English or that takes other arguments than the English one.
 *
 * @param {Record<string, unknown>} catalogues by language; `en` rules
 * @returns {string[]}
 */
export function findCatalogueFaults(catalogues) {
  const english = flatten(catalogues.en);
  if (english.size === 0) return ["en: there is no sentence in texts/src/en"];
  const faults = [...english].filter(([, text]) => text.trim() === "").map(([key]) => `en: ${key} is empty`);
  for (const [language, catalogue] of Object.entries(catalogues)) {
    if (language !== "en") faults.push(...compare(language, english, flatten(catalogue)));
  }
  return faults;
}

/**
 * @param {string} language
 * @param {Map<string, string>} english
 * @param {Map<string, string>} translated
 */
function compare(language, english, translated) {
  const faults = [...translated.keys()]
    .filter((key) => !english.has(key))
    .map((key) => `${language}: ${key} is not in English`);
  for (const [key, original] of english) {
    const fault = faultOf(original, translated.get(key));
    if (fault) faults.push(`${language}: ${key} ${fault}`);
  }
  return faults;
}

/**
 * @param {string} original
 * @param {string | undefined} text
 */
function faultOf(original, text) {
  if (text === undefined) return "is missing";
  if (text.trim() === "") return "is empty";
  const { names, words } = readMessage(text);
  const taken = names.join(", ");
  const wanted = readMessage(original).names.join(", ");
  if (taken !== wanted) return `takes (${taken}), English takes (${wanted})`;
  return isLeftInEnglish(words) ? `is left in English: ${text}` : undefined;
}

/**
 * The sentences by their key, `namespace.name`.
 *
 * @param {unknown} value
 * @param {string} [key]
 * @returns {Map<string, string>}
 */
function flatten(value, key = "") {
  if (typeof value === "string") return new Map([[key, value]]);
  /** @type {Map<string, string>} */
  const texts = new Map();
  for (const [name, inner] of Object.entries(value ?? {})) {
    for (const [path, text] of flatten(inner, key ? `${key}.${name}` : name)) texts.set(path, text);
  }
  return texts;
}

/**
 * Words without one sign of the language's own script, or a run of English words within a sentence.
 *
 * @param {string} words
 */
function isLeftInEnglish(words) {
  const said = words.replace(/[\w.+-]+@[\w.-]+|https?:\S+/g, " ");
  const foreign = (said.match(/\p{Script=Latin}+/gu) ?? []).filter((word) => !SAME_EVERYWHERE.has(word));
  const hasRun = /(?:\b[A-Za-z]{2,}\b[ ,.'’]+){2,}[A-Za-z]{2,}/.test(said);
  return (foreign.length > 0 && !OWN_SCRIPT.test(said)) || hasRun;
}
