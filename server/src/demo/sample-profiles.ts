import { ageOn } from "@alcove/contract/fields";
import type { SearchSex, Sex } from "@alcove/contract/users";
import { languages, type Language } from "@alcove/i18n";
import type { ProfileForm } from "../profiles/index.ts";
import { SeededRandom } from "./seeded-random.ts";
import { phrases } from "./phrases/index.ts";
import type { Voice } from "./phrases/phrases.ts";

/** The same user id names the same invented member at every start. */
export interface SampleProfile {
  readonly userId: string;
  readonly language: Language;
  readonly sex: Sex;
  readonly sought: SearchSex;
  readonly voice: Voice;
  /** The birth date depends on the day, so that the age stays. */
  formOn(day: string): ProfileForm;
  readonly bearing: number;
  readonly km: number;
  readonly hidesFace: boolean;
  /** From 1 to 3. */
  readonly pictures: number;
  readonly notes: readonly string[];
  /** To each of the week's questions, of the first woman and the first man of each language. */
  readonly answers: readonly string[];
}

const LANGUAGES: readonly Language[] = [
  ...Array<Language>(4).fill("en"),
  ...Array<Language>(2).fill("ja"),
  ...Array<Language>(2).fill("zh-hans"),
  ...Array<Language>(2).fill("zh-hant"),
];
const NEAREST_KM = 1;
const FARTHEST_KM = 60;
const AGES = [28, 62] as const;
const CM_PER_INCH = 2.54;

export function createSampleProfiles(size: number): SampleProfile[] {
  const order = new SeededRandom("order");
  const taken = new Set<string>();
  const answering = new Set<string>();
  const introductions = new Map(languages.map((language) => [language, introductionsOf(language)]));
  const profiles: SampleProfile[] = [];
  while (profiles.length < size) {
    for (const language of order.shuffle(LANGUAGES)) {
      const introduction = introductions.get(language)!.next().value;
      profiles.push(createSampleProfile(profiles.length, { language, introduction, taken, answering }));
    }
  }
  return profiles.slice(0, size);
}

interface Introduction {
  readonly voice: Voice;
  readonly description: string;
  readonly purpose: string | null;
  readonly hobby: string | null;
}

/** Each text comes once before any comes again, then with other sentences around it. */
function* introductionsOf(language: Language): Generator<Introduction, never> {
  const all = phrases[language].voices.flatMap((voice) => voice.texts.map((text) => ({ voice, text })));
  const dealt = new SeededRandom(`introductions ${language}`).shuffle(all);
  for (let round = 0; ; round++) {
    for (const [index, { voice, text }] of dealt.entries()) {
      const opening = [...voice.openings, ""][(index + round) % (voice.openings.length + 1)]!;
      const closing = [...voice.closings, ""][(index + 2 * round) % (voice.closings.length + 1)]!;
      const sentences = [opening, text.text, closing].filter((sentence) => sentence !== "");
      const description = sentences.join(language === "en" ? " " : "");
      yield { voice, description, purpose: text.purpose ?? null, hobby: text.hobby ?? null };
    }
  }
}

function createSampleProfile(
  index: number,
  {
    language,
    introduction,
    taken,
    answering,
  }: { language: Language; introduction: Introduction; taken: Set<string>; answering: Set<string> },
): SampleProfile {
  const random = new SeededRandom(`role ${index}`);
  const sex: Sex = random.chance(0.5) ? "female" : "male";
  const [shown, plain] = random.pick(phrases[language].names[sex]);
  const userId = userIdFor(random, plain, taken);
  const sought = soughtBy(random, sex);
  const isFirst = !answering.has(language + sex);
  answering.add(language + sex);
  return {
    userId,
    language,
    sex,
    sought,
    voice: introduction.voice,
    bearing: random.float() * 2 * Math.PI,
    km: NEAREST_KM + (FARTHEST_KM - NEAREST_KM) * random.float() ** 2,
    hidesFace: random.chance(2 / 3),
    pictures: random.pick([1, 1, 2, 3]),
    notes: random.shuffle(introduction.voice.notes).slice(0, random.pick([0, 1, 1, 2])),
    answers: isFirst ? phrases[language].answers.map((pair) => pair[sex === "female" ? 0 : 1]) : [],
    formOn: (day) =>
      createForm(new SeededRandom(`profile ${userId}`), day, { shown, sex, sought, language, introduction }),
  };
}

function userIdFor(random: SeededRandom, plain: string, taken: Set<string>): string {
  for (;;) {
    const userId = `${plain}${random.pick(["_", "-", ""])}${random.integer(10, 999)}`;
    if (taken.has(userId)) continue;
    taken.add(userId);
    return userId;
  }
}

function createForm(
  random: SeededRandom,
  day: string,
  {
    shown,
    sex,
    sought,
    language,
    introduction,
  }: { shown: string; sex: Sex; sought: SearchSex; language: Language; introduction: Introduction },
): ProfileForm {
  const date_of_birth = birthDate(random, day);
  const { description, purpose, hobby } = introduction;
  const marriedYears = random.integer(1, Math.max(1, ageOn(day, date_of_birth) - 27));
  return {
    username: language === "en" && random.chance(0.5) ? `${shown} ${initial(random)}.` : shown,
    sex,
    date_of_birth,
    description,
    purpose,
    hobby,
    how_long_married: random.chance(0.9) ? marriedYears : null,
    how_long_married_unit: "year",
    ...bodyOf(random, sex, language),
    ...incomeOf(random, language),
    twitter: null,
    instagram: null,
    facebook: null,
    line: null,
    search_sex: sought,
    search_range_unit: language === "en" ? random.pick(["km", "mile"]) : "km",
    search_min_range: null,
    search_max_range: null,
    search_min_age: null,
    search_max_age: null,
  };
}

const initial = (random: SeededRandom): string => String.fromCharCode(65 + random.integer(0, 22));

function birthDate(random: SeededRandom, day: string): string {
  const year = Number(day.slice(0, 4)) - random.integer(AGES[0] + 1, AGES[1]);
  const [month, date] = [random.integer(1, 12), random.integer(1, 28)].map((n) => String(n).padStart(2, "0"));
  return `${year}-${month}-${date}`;
}

function bodyOf(random: SeededRandom, sex: Sex, language: Language) {
  const cm = (sex === "female" ? 150 : 163) + random.integer(0, 24);
  const kg = Math.round(cm - 108 + random.integer(-6, 16));
  const isImperial = language === "en" && random.chance(0.5);
  const inches = Math.round(cm / CM_PER_INCH);
  const feetAndInches = Math.floor(inches / 12) + (inches % 12) / 100;
  return {
    tall: isImperial ? Number(feetAndInches.toFixed(2)) : cm,
    tall_unit: isImperial ? ("feet inches" as const) : ("cm" as const),
    weight: random.chance(0.6) ? (isImperial ? Math.round(kg * 2.2) : kg) : null,
    weight_unit: isImperial ? ("pound" as const) : ("kg" as const),
  };
}

function incomeOf(random: SeededRandom, language: Language) {
  const [unit, yearly] = {
    en: ["USD", random.integer(28, 140) * 1_000] as const,
    ja: ["JPY", random.integer(32, 140) * 100_000] as const,
    "zh-hans": ["USD", random.integer(14, 90) * 1_000] as const,
    "zh-hant": ["TWD", random.integer(50, 240) * 10_000] as const,
  }[language];
  const isMonthly = random.chance(0.3);
  return {
    salary: random.chance(0.55) ? (isMonthly ? Math.round(yearly / 1_200) * 100 : yearly) : null,
    salary_unit: unit,
    salary_duration: isMonthly ? ("month" as const) : ("year" as const),
  };
}

function soughtBy(random: SeededRandom, sex: Sex): SearchSex {
  const other: Sex = sex === "female" ? "male" : "female";
  return random.pick<SearchSex>([other, other, other, other, other, "all", "all", "all", "all", sex]);
}
