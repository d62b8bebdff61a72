import { expect, test } from "vitest";
import { findTranslationProblems } from "./check-translations.ts";

function problems(en: Record<string, string>, ja: Record<string, string>): string[] {
  return findTranslationProblems({ en: { chat: en }, ja: { chat: ja } });
}

test("reports a message when a language lacks it, leaves it empty or adds it", () => {
  expect(problems({ send: "Send", back: "Back" }, { send: " ", more: "もっと" })).toEqual([
    "ja: chat.send is empty",
    "ja: chat.back is missing",
    "ja: chat.more is not in English",
  ]);
});

test("reports a message when its arguments or tags differ from the English ones", () => {
  expect(problems({ from: "From {name}, <b>now</b>" }, { from: "{nane}さんから<b>今</b>" })).toEqual([
    "ja: chat.from takes (<b>, nane), English takes (<b>, name)",
  ]);
  expect(problems({ from: "From {name}" }, { from: "{name}さんから" })).toEqual([]);
});

test("accepts fewer plural branches when the arguments are the same", () => {
  const english = "{count, plural, =0 {no one} one {# person near {place}} other {# people near {place}}}";

  expect(problems({ near: english }, { near: "{place}の近くに{count, plural, other {#人}}" })).toEqual([]);
  expect(problems({ near: english }, { near: "近くに{count, plural, other {#人}}" })).toEqual([
    "ja: chat.near takes (count), English takes (count, place)",
  ]);
});

test("reports a message left in English, except names and units", () => {
  const english = { send: "Send", tall: "{n} cm", pay: "Pay with PayPal", mixed: "See it" };

  expect(
    problems(english, {
      send: "Send",
      tall: "{n} cm",
      pay: "PayPalで支払う",
      mixed: "画像 please try again",
    }),
  ).toEqual([
    "ja: chat.send is left in English: Send",
    "ja: chat.mixed is left in English: 画像 please try again",
  ]);
});
