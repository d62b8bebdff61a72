import sharp from "sharp";
import { expect, test } from "vitest";
import { register } from "@alcove/contract/accounts";
import { ageOn, parseFields } from "@alcove/contract/fields";
import { castOf } from "./sample-profiles.ts";
import { drawPortrait } from "./portrait.ts";

const DAY = "2025-11-21";
const SIZE = 300;

test("the same people are invented at every start, each under a user id of their own", () => {
  const cast = castOf(SIZE);

  expect(new Set(cast.map(({ userId }) => userId.toLowerCase())).size).toBe(SIZE);
  expect(castOf(SIZE).map(({ userId }) => userId)).toEqual(cast.map(({ userId }) => userId));
  expect(castOf(SIZE)[17]!.profileOn(DAY)).toEqual(cast[17]!.profileOn(DAY));
});

test("every invented profile would pass the sign-up form", () => {
  for (const { userId, ...role } of castOf(SIZE)) {
    const reading = parseFields(register.input, {
      ...role.profileOn(DAY),
      userId,
      email: "somebody@example.com",
      code: "123456",
      password: "quiet-evenings-7",
      passwordConfirmation: "quiet-evenings-7",
      icon: new File(["picture"], "portrait.png"),
    });

    expect(reading.ok ? {} : { userId, errors: reading.errors }).toEqual({});
  }
});

test("they are grown up, speak four languages, and write a few sentences of their own", () => {
  const cast = castOf(SIZE);
  const profiles = cast.map((role) => role.profileOn(DAY));
  const spoken = Map.groupBy(cast, ({ language }) => language);

  for (const { date_of_birth, description } of profiles) {
    expect(ageOn(DAY, date_of_birth)).toBeGreaterThanOrEqual(28);
    expect(ageOn(DAY, date_of_birth)).toBeLessThanOrEqual(62);
    const sentences = description.match(/[^.。？?！!]+[.。？?！!]/gu)!;
    expect(sentences.length).toBeGreaterThanOrEqual(3);
  }
  expect([...spoken].map(([language, roles]) => [language, roles.length / SIZE])).toEqual(
    expect.arrayContaining([
      ["en", 0.6],
      ["ja", 0.15],
      ["zh-hans", 0.1],
      ["zh-hant", 0.15],
    ]),
  );
  expect(new Set(profiles.map(({ description }) => description)).size).toBeGreaterThan(SIZE * 0.95);
});

test("no two portraits are alike, and each is a picture", async () => {
  const drawn = castOf(SIZE).map(({ userId, sex }) => drawPortrait(userId, { sex, age: 45 }));

  expect(new Set(drawn).size).toBe(SIZE);
  for (const svg of drawn.slice(0, 12)) {
    const { width, height } = await sharp(Buffer.from(svg)).metadata();
    expect([width, height]).toEqual([600, 600]);
    const { entropy } = await sharp(Buffer.from(svg)).stats();
    expect(entropy).toBeGreaterThan(3);
  }
});
