import type { Language } from "@alcove/i18n";

/** Characters of one Chinese script only. */
const SIMPLIFIED =
  /[们这说吗么时会过来对见谢谁你开关车东头爱国学习书话请问还没样为给让钱间现觉欢乐岁长难气听读写买卖饭点边]/gu;
const TRADITIONAL =
  /[們這說嗎麼時會過來對見謝誰開關車東頭愛國學習書話請問還沒樣為給讓錢間現覺歡樂歲長難氣聽讀寫買賣飯點邊妳]/gu;

/** Detects a message's language from its script, or returns the sender's `language`. */
export function languageOfMessage(text: string | null, language: Language): Language {
  if (text === null) return language;
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return "ja";
  if (/\p{Script=Han}/u.test(text)) return chineseOf(text, language);
  // People write a word or two of English in every language.
  const isEnglish = (text.match(/[A-Za-z']{2,}/g)?.length ?? 0) > 2;
  return isEnglish ? "en" : language;
}

function chineseOf(text: string, language: Language): Language {
  const difference = countOf(SIMPLIFIED, text) - countOf(TRADITIONAL, text);
  if (language === "ja") return "ja";
  if (difference !== 0) return difference > 0 ? "zh-hans" : "zh-hant";
  return language === "en" ? "zh-hant" : language;
}

function countOf(characters: RegExp, text: string): number {
  return text.match(characters)?.length ?? 0;
}
