import { expect, test } from "vitest";
import { cut, foldTyped, lengthOf, tidy } from "./text-rules.ts";

test.each([
  ["a number of Apple's contacts", "call \u202D+81 90-1234-5678\u202C", "call +81 90-1234-5678"],
  ["a soft hyphen of a PDF file", "soft hy\u0002phen", "soft hyphen"],
  ["Word's hyphens", "twenty\u001Eone, long\u001Fword", "twenty-one, longword"],
  ["the soft hyphen of a web page", "Haupt\u00ADbahnhof", "Hauptbahnhof"],
  ["spaces without a width", "\uFEFFHanako\u200B\u2060 says\u200C", "Hanako says"],
  ["spaces that do not break, at the ends", "\u00A0\u3000a\u00A0b\u202F", "a\u00A0b"],
  [
    "separators of lines and paragraphs",
    "one\u2028two\u2029three\u0085four\vfive",
    "one\ntwo\nthree\nfour\nfive",
  ],
  ["control characters", "n\u0000u\u007Fl\u009F", "nul"],
  ["turned text", "a\u202Egnp.exe", "agnp.exe"],
  ["isolated names", "says \u2068אורי\u2069", "says אורי"],
  ["marks of direction between Latin letters", "\u200Eabc\u200F\u061C", "abc"],
  ["half of an emoji", "half \uD83C pair", "half  pair"],
  ["the place of a dictated picture", "\uFFFChello", "hello"],
  ["hidden tags", "hi\u{E0041}\u{E0042}", "hi"],
  ["variation selectors that hide bytes", "a\uFE0F\u{E0121}\u{E0122}", "a"],
])("drops %s", (_, copied, written) => {
  expect(tidy(copied)).toBe(written);
});

test.each([
  ["a hairstyle with a skin tone", "👩🏽‍🦰"],
  ["a family, a heart on fire, a rainbow", "👨‍👩‍👧 ❤️‍🔥 🏳️‍🌈"],
  ["the flag of a region", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"],
  ["a key cap", "1️⃣"],
  ["the form of a name's character", "葛\u{E0100}城"],
  ["Persian words", "می\u200Cخواهم"],
  ["an Arabic abbreviation", "ه\u200D"],
  ["Hindi and Sinhala letters", "क्\u200Dष ශ්\u200Dරී"],
  ["Hebrew with a number", "שלום 12\u200F!"],
  ["tabs and line breaks", "a\tb\n\nc"],
])("keeps %s", (_, text) => {
  expect(tidy(text)).toBe(text.normalize("NFC"));
});

test.each([
  ["ｔａｒｏ＿７\u3000", "taro_7"],
  ["\u200Etaro\u200B", "taro"],
  ["taro\u2011x", "taro-x"],
  ["\u221212.5", "-12.5"],
  ["\uFEFF １２ \u202C", "12"],
])("folds the typed %j", (typed, folded) => {
  expect(foldTyped(typed)).toBe(folded);
});

test.each(["10²", "1½", "10①", "H₂", "Ⅻ", "㎏", "1🄁5"])("folds %s into no other number", (typed) => {
  expect(foldTyped(typed)).toBe(typed);
});

test.each([
  ["a family", `${"a".repeat(198)}👨‍👩‍👧`],
  ["a flag", `${"a".repeat(199)}🇯🇵`],
  ["a letter with its accents", `${"a".repeat(198)}e\u0302\u0323`],
  ["a syllable of Hindi", `${"a".repeat(199)}क्षि`],
  ["a line break", `${"a".repeat(199)}\r\n`],
])("cuts before %s that does not fit", (_, text) => {
  expect(cut(text, 200)).toBe(text.slice(0, text.indexOf("a".repeat(198)) + text.lastIndexOf("a") + 1));
});

test("cuts no text that fits, and counts code points", () => {
  expect(cut("🌸".repeat(200), 200)).toBe("🌸".repeat(200));
  expect(cut("🌸".repeat(201), 200)).toBe("🌸".repeat(200));
  expect(lengthOf(cut(`a${"\u0301".repeat(500)}`, 200))).toBe(0);
});

test("tidies a quarter of a megabyte in less than 20 ms", () => {
  const times = Array.from({ length: 5 }, () => {
    const start = performance.now();
    tidy("a\u200B".repeat(125_000));
    foldTyped("\uFDFA".repeat(80_000));
    return performance.now() - start;
  });

  expect(Math.min(...times)).toBeLessThan(20);
});
