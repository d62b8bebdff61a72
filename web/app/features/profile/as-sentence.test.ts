import { expect, test } from "vitest";
import { asSentence } from "./as-sentence.ts";

test.each([
  ["unhurried conversation", "Unhurried conversation."],
  ["Dinner, then a film.", "Dinner, then a film."],
  ["Is anyone out there?", "Is anyone out there?"],
  ["  two\nlines  ", "Two lines."],
  ["éclairs", "Éclairs."],
  ["好きな本の話", "好きな本の話。"],
  ["展覧会を観られる人を探しています。", "展覧会を観られる人を探しています。"],
  ["コーヒー", "コーヒー。"],
  ["慢慢聊天（周末）", "慢慢聊天（周末）。"],
  ["walks with my dog 🐕", "Walks with my dog 🐕"],
  ["🦊 first", "🦊 first."],
  ["", ""],
])("makes a sentence of %j", (text, sentence) => {
  expect(asSentence(text)).toBe(sentence);
});
