import { expect, test } from "vitest";
import { findCatalogueFaults } from "./catalogues.js";

function faults(en: Record<string, string>, ja: Record<string, string>): string[] {
  return findCatalogueFaults({ en: { chat: en }, ja: { chat: ja } });
}

test("a sentence that a language lacks, leaves empty or has alone is reported", () => {
  expect(faults({ send: "Send", back: "Back" }, { send: " ", more: "もっと" })).toEqual([
    "ja: chat.more is not in English",
    "ja: chat.send is empty",
    "ja: chat.back is missing",
  ]);
});

test("a translation takes the arguments and tags of the English sentence", () => {
  expect(faults({ from: "From {name}, <b>now</b>" }, { from: "{nane}さんから<b>今</b>" })).toEqual([
    "ja: chat.from takes (<b>, nane), English takes (<b>, name)",
  ]);
  expect(faults({ from: "From {name}" }, { from: "{name}さんから" })).toEqual([]);
});

test("a plural may have fewer branches in another language", () => {
  const english = "{count, plural, =0 {no one} one {# person near {place}} other {# people near {place}}}";

  expect(faults({ near: english }, { near: "{place}の近くに{count, plural, other {#人}}" })).toEqual([]);
  expect(faults({ near: english }, { near: "近くに{count, plural, other {#人}}" })).toEqual([
    "ja: chat.near takes (count), English takes (count, place)",
  ]);
});

test("a sentence left in English is reported, names and units are not", () => {
  const english = { send: "Send", tall: "{n} cm", pay: "Pay with PayPal", mixed: "See it" };

  expect(
    faults(english, { send: "Send", tall: "{n} cm", pay: "PayPalで支払う", mixed: "画像 please try again" }),
  ).toEqual([
    "ja: chat.send is left in English: Send",
    "ja: chat.mixed is left in English: 画像 please try again",
  ]);
});
