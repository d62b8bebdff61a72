import type { Language } from "@alcove/i18n";

/** Characters that are written so in one of the two Chinese scripts alone. */
const SIMPLIFIED =
  /[们这说吗么时会过来对见谢谁你开关车东头爱国学习书话请问还没样为给让钱间现觉欢乐岁长难气听读写买卖饭点边]/gu;
const TRADITIONAL =
  /[們這說嗎麼時會過來對見謝誰開關車東頭愛國學習書話請問還沒樣為給讓錢間現覺歡樂歲長難氣聽讀寫買賣飯點邊妳]/gu;

/** The language in which a message is answered: its own where the letters tell, otherwise that of who wrote it. */
export function languageOfMessage(text: string | null, spoken: Language): Language {
  if (text === null) return spoken;
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return "ja";
  if (/\p{Script=Han}/u.test(text)) return chineseOf(text, spoken);
  // A word or two of English is written in every language.
  const isEnglish = (text.match(/[A-Za-z']{2,}/g)?.length ?? 0) > 2;
  return isEnglish ? "en" : spoken;
}

function chineseOf(text: string, spoken: Language): Language {
  const marks = countOf(SIMPLIFIED, text) - countOf(TRADITIONAL, text);
  if (spoken === "ja") return "ja";
  if (marks !== 0) return marks > 0 ? "zh-hans" : "zh-hant";
  return spoken === "en" ? "zh-hant" : spoken;
}

function countOf(letters: RegExp, text: string): number {
  return text.match(letters)?.length ?? 0;
}
