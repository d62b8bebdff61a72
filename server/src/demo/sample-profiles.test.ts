import sharp from "sharp";
import { expect, test } from "vitest";
import { register } from "@alcove/contract/accounts";
import { ageOn, parseFields } from "@alcove/contract/fields";
import { QUESTIONS } from "@alcove/contract/questions";
import { createSampleProfiles } from "./sample-profiles.ts";
import { phrases } from "./phrases/index.ts";
import { drawPortrait, drawView } from "./portrait.ts";

const DAY = "2025-11-21";
const SIZE = 300;

test("creates the same profiles at every start, each with its own user id", () => {
  const profiles = createSampleProfiles(SIZE);

  expect(new Set(profiles.map(({ userId }) => userId.toLowerCase())).size).toBe(SIZE);
  expect(createSampleProfiles(SIZE).map(({ userId }) => userId)).toEqual(
    profiles.map(({ userId }) => userId),
  );
  expect(createSampleProfiles(SIZE)[17]!.formOn(DAY)).toEqual(profiles[17]!.formOn(DAY));
});

test("creates profiles that pass the sign-up form", () => {
  for (const { userId, ...profile } of createSampleProfiles(SIZE)) {
    const reading = parseFields(register.input, {
      ...profile.formOn(DAY),
      userId,
      email: "somebody@example.com",
      code: "12345678",
      password: "quiet-evenings-7",
      passwordConfirmation: "quiet-evenings-7",
      icon: new File(["picture"], "portrait.png"),
    });

    expect(reading.ok ? {} : { userId, errors: reading.errors }).toEqual({});
  }
});

test("creates adults in four languages with several sentences each", () => {
  const profiles = createSampleProfiles(SIZE);
  const forms = profiles.map((profile) => profile.formOn(DAY));
  const byLanguage = Map.groupBy(profiles, ({ language }) => language);

  for (const { date_of_birth, description } of forms) {
    expect(ageOn(DAY, date_of_birth)).toBeGreaterThanOrEqual(28);
    expect(ageOn(DAY, date_of_birth)).toBeLessThanOrEqual(62);
    const sentences = description.match(/[^.。？?！!]+[.。？?！!]/gu)!;
    expect(sentences.length).toBeGreaterThanOrEqual(3);
  }
  expect([...byLanguage].map(([language, sameLanguage]) => [language, sameLanguage.length / SIZE])).toEqual(
    expect.arrayContaining([
      ["en", 0.4],
      ["ja", 0.2],
      ["zh-hans", 0.2],
      ["zh-hant", 0.2],
    ]),
  );
  expect(new Set(forms.map(({ description }) => description)).size).toBe(SIZE);
});

test("lets the first members of each language write about different things", () => {
  const texts = Object.values(phrases).flatMap(({ voices }) => voices.flatMap((voice) => voice.texts));
  const forms = createSampleProfiles(SIZE / 5).map((profile) => profile.formOn(DAY));
  const used = forms.map(({ description }) => texts.find(({ text }) => description.includes(text)));

  expect(new Set(used).size).toBe(SIZE / 5);
});

test.each(Object.entries(phrases))("gives each voice sentences of its own in %s", (_, { voices }) => {
  const sentences = voices.flatMap(({ openings, texts, closings, notes, replies }) => [
    ...openings,
    ...texts.flatMap(({ text, purpose }) => (purpose === undefined ? [text] : [text, purpose])),
    ...closings,
    ...notes,
    ...Object.values(replies).flat(),
  ]);

  expect(sentences.filter((sentence, at) => sentences.indexOf(sentence) !== at)).toEqual([]);
});

test.each(Object.entries(phrases))(
  "has two replies to each of the week's questions in %s",
  (_, { answers }) => {
    expect(answers).toHaveLength(QUESTIONS);
    expect(new Set(answers.flat()).size).toBe(2 * QUESTIONS);
  },
);

test("draws different pictures for each profile", async () => {
  const drawn = createSampleProfiles(SIZE).flatMap(({ userId, sex }) => [
    drawPortrait(userId, { sex, age: 45 }),
    drawPortrait(userId, { sex, age: 45, isElsewhere: true }),
    drawView(userId),
  ]);

  expect(new Set(drawn).size).toBe(3 * SIZE);
  for (const svg of drawn.slice(0, 12)) {
    const { width, height } = await sharp(Buffer.from(svg)).metadata();
    expect([width, height]).toEqual([600, 600]);
    const { entropy } = await sharp(Buffer.from(svg)).stats();
    expect(entropy).toBeGreaterThan(3);
  }
});
