import { expect, test } from "vitest";
import { findTermProblems, findUnwantedWords } from "./check-terms.ts";

const word = { en: "email", ja: "メール", "zh-hans": "邮箱", "zh-hant": "郵件" };
const email = { word, rejected: { en: /e-mail/i }, except: ["chat.fixed"] };

function withEnglish(en: Record<string, string>) {
  return {
    en: { chat: en },
    ja: { chat: { a: "メール" } },
    "zh-hans": { a: "邮箱" },
    "zh-hant": { a: "郵件" },
  };
}

test("reports a rejected word, except in a message of fixed wording", () => {
  expect(
    findTermProblems(withEnglish({ a: "Your email", b: "An E-mail", fixed: "E-mail" }), [email]),
  ).toEqual(["en: chat.b says “E-mail”; the word is “email” (i18n/terms.ts)"]);
});

test("reports a term whose word no message has", () => {
  expect(findTermProblems(withEnglish({ a: "Nothing" }), [email])).toEqual(["en: no message says “email”"]);
});

test("reports exclamation marks and words that embarrass", () => {
  expect(findUnwantedWords(withEnglish({ a: "Saved!", b: "A dating site", c: "Updating" }))).toEqual([
    "en: chat.a says “!”",
    "en: chat.b says “dating”",
  ]);
});
