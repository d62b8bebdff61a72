import { expect, test } from "vitest";
import { openersOf } from "./openers.ts";

const nothing = { description: "", hobby: null, purpose: null };

test.each([
  [
    "the first sentence of fitting length and the hobby",
    {
      description:
        "Hello. I like rooms with good light, and long lunches. Second sentence that also fits well.",
      hobby: "Ceramics, film photography",
      purpose: "Someone to talk to",
    },
    "en",
    ["I like rooms with good light, and long lunches.", "Ceramics, film photography"],
  ],
  [
    "the purpose without a hobby",
    { ...nothing, description: "Hi.", purpose: "Someone to talk to" },
    "en",
    ["Someone to talk to"],
  ],
  [
    "no Markdown",
    { ...nothing, description: "# About\n- I **love** the [quiet sea](https://example.com) in winter." },
    "en",
    ["I love the quiet sea in winter."],
  ],
  [
    "a Japanese sentence",
    {
      ...nothing,
      description: "はじめまして。光のきれいな部屋と、ゆっくりした昼食が好きです。どうぞよろしく。",
    },
    "ja",
    ["光のきれいな部屋と、ゆっくりした昼食が好きです。"],
  ],
  ["nothing of an empty profile", nothing, "en", []],
])("offers %s", (_, person, language, expected) => {
  expect(openersOf(person, language)).toEqual(expected);
});
