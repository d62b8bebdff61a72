import { expect, test } from "vitest";
import type { Language } from "@alcove/i18n";
import { replyTo } from "./replies.ts";
import { languageOfMessage } from "./languages.ts";
import { phrases } from "./phrases/index.ts";

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
])("replies to %s of a member with language %s in %s", (text, language, expected) => {
  expect(languageOfMessage(text, language)).toBe(expected);
});

test("replies differently to a picture, a question and other messages", () => {
  const { replies } = phrases.en;
  const conversation = { previousReplies: ["Hello!"], language: "en" as const };

  expect(replies.first).toContain(
    replyTo(
      { id: "1", description: "Hello there, you", file: null },
      { previousReplies: [], language: "en" },
    ),
  );
  expect(replies.toImage).toContain(replyTo({ id: "2", description: null, file: "/media/1" }, conversation));
  expect(replies.toQuestion).toContain(
    replyTo({ id: "3", description: "Do you like tea?", file: null }, conversation),
  );
  expect(replies.later).toContain(
    replyTo({ id: "4", description: "I like tea a lot", file: null }, conversation),
  );
});

test("never repeats a reply directly", () => {
  const previousReplies: string[] = [];
  for (let i = 0; i < 40; i++) {
    const reply = replyTo(
      { id: `m${i}`, description: "Go on then, tell me", file: null },
      { previousReplies, language: "en" },
    );
    expect(reply).not.toBe(previousReplies.at(-1));
    previousReplies.push(reply);
  }
});
