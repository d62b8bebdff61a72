import { expect, test } from "vitest";
import { reactionTo, replyTo } from "./replies.ts";
import { phrases } from "./phrases/index.ts";
import type { Voice } from "./phrases/phrases.ts";

test("replies differently to a picture, a question and other messages", () => {
  const [voice] = phrases.en.voices as [Voice];
  const { replies } = voice;
  const conversation = { previousReplies: ["Hello!"], voice };

  expect(replies.first).toContain(
    replyTo({ id: "1", description: "Hello there, you", file: null }, { previousReplies: [], voice }),
  );
  expect(replies.toImage).toContain(replyTo({ id: "2", description: null, file: "/media/1" }, conversation));
  expect(replies.toQuestion).toContain(
    replyTo({ id: "3", description: "Do you like tea?", file: null }, conversation),
  );
  expect(replies.later).toContain(
    replyTo({ id: "4", description: "I like tea a lot", file: null }, conversation),
  );
});

test.each(Object.entries(phrases))("never repeats a reply directly in %s", (_, { voices }) => {
  for (const voice of voices) {
    const previousReplies: string[] = [];
    for (let i = 0; i < 40; i++) {
      const message = { id: `m${i}`, description: "Go on then, tell me", file: null };
      const reply = replyTo(message, { previousReplies, voice });
      expect(reply).not.toBe(previousReplies.at(-1));
      previousReplies.push(reply);
    }
  }
});

test("reacts to some messages, always in the same way", () => {
  const ids = Array.from({ length: 60 }, (_, i) => `m${i}`);
  const reactions = ids.map(reactionTo);

  expect(ids.map(reactionTo)).toEqual(reactions);
  expect(new Set(reactions)).toEqual(new Set([null, "heart", "laugh", "wow", "thanks", "yes"]));
});
