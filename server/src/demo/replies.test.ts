import { expect, test } from "vitest";
import type { Language } from "@alcove/i18n";
import { answerTo } from "./replies.ts";
import { languageOfMessage } from "./languages.ts";
import { words } from "./phrases/index.ts";

test.each<[string | null, Language, Language]>([
  ["Nice to meet you, how are you?", "ja", "en"],
  ["こんにちは、お元気ですか", "en", "ja"],
  ["你好，很高兴认识你们", "en", "zh-hans"],
  ["你好，很高興認識妳", "en", "zh-hant"],
  ["你好", "zh-hans", "zh-hans"],
  ["了解", "ja", "ja"],
  ["OK!", "ja", "ja"],
  ["🙂", "zh-hant", "zh-hant"],
  [null, "ja", "ja"],
])("%s of a member who uses %s is answered in %s", (text, spoken, expected) => {
  expect(languageOfMessage(text, spoken)).toBe(expected);
});

test("a picture, a question and anything else are answered each in its way", () => {
  const { answers } = words.en;
  const talk = { said: ["Hello!"], spoken: "en" as const };

  expect(answers.first).toContain(
    answerTo({ id: "1", description: "Hello there, you", file: null }, { said: [], spoken: "en" }),
  );
  expect(answers.toImage).toContain(answerTo({ id: "2", description: null, file: "/media/1" }, talk));
  expect(answers.toQuestion).toContain(
    answerTo({ id: "3", description: "Do you like tea?", file: null }, talk),
  );
  expect(answers.later).toContain(answerTo({ id: "4", description: "I like tea a lot", file: null }, talk));
});

test("nobody says the same thing twice in a row", () => {
  const said: string[] = [];
  for (let i = 0; i < 40; i++) {
    const answer = answerTo(
      { id: `m${i}`, description: "Go on then, tell me", file: null },
      { said, spoken: "en" },
    );
    expect(answer).not.toBe(said.at(-1));
    said.push(answer);
  }
});
