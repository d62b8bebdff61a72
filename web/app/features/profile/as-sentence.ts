const ENDS_WITH_WORD = /[\p{Letter}\p{Mark}\p{Number}」』）)"”’]$/u;
const ENDS_IN_CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー」』）]$/u;

/** Makes one sentence of a member's few words: large first letter, full stop. An emoji at the end stays the end. */
export function asSentence(text: string): string {
  const words = text.trim().replaceAll(/\s+/gu, " ");
  const [first = ""] = words;
  const sentence = first.toLocaleUpperCase() + words.slice(first.length);
  if (!ENDS_WITH_WORD.test(sentence)) return sentence;
  return sentence + (ENDS_IN_CJK.test(sentence) ? "。" : ".");
}
