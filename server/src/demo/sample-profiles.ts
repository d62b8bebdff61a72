import { ageOn } from "@alcove/contract/fields";
import type { SearchSex, Sex } from "@alcove/contract/users";
import type { Language } from "@alcove/i18n";
import type { ProfileForm } from "../profiles/index.ts";
import { diceOf, type Dice } from "./random.ts";
import { words } from "./phrases/index.ts";

/** Somebody who is invented: the same at every start, found again by its user id. */
export interface Role {
  readonly userId: string;
  readonly language: Language;
  readonly sex: Sex;
  readonly sought: SearchSex;
  /** What it writes about itself; the birth date follows from the day on which it is asked for. */
  profileOn(day: string): ProfileForm;
  /** Where it lives, seen from the visitor. */
  readonly bearing: number;
  readonly km: number;
  readonly hidesFace: boolean;
}

/** The shares of the languages, as one round of twenty. */
const LANGUAGES: readonly Language[] = [
  ...Array<Language>(12).fill("en"),
  ...Array<Language>(3).fill("ja"),
  ...Array<Language>(2).fill("zh-hans"),
  ...Array<Language>(3).fill("zh-hant"),
];
const NEAREST_KM = 1;
const FARTHEST_KM = 60;
const AGES = [28, 62] as const;
const CM_PER_INCH = 2.54;

/** The first `size` of the invented members, of all languages and both sexes from the first ones on. */
export function castOf(size: number): Role[] {
  const order = diceOf("order");
  const taken = new Set<string>();
  const cast: Role[] = [];
  while (cast.length < size) {
    for (const language of order.shuffle(LANGUAGES)) cast.push(inventRole(cast.length, language, taken));
  }
  return cast.slice(0, size);
}

function inventRole(place: number, language: Language, taken: Set<string>): Role {
  const dice = diceOf(`role ${place}`);
  const sex: Sex = dice.happens(0.5) ? "female" : "male";
  const [shown, plain] = dice.pick(words[language].names[sex]);
  const userId = userIdFor(dice, plain, taken);
  const sought = soughtBy(dice, sex);
  return {
    userId,
    language,
    sex,
    sought,
    bearing: dice.fraction() * 2 * Math.PI,
    // More of them near than far, as in a town and around it.
    km: NEAREST_KM + (FARTHEST_KM - NEAREST_KM) * dice.fraction() ** 2,
    hidesFace: dice.happens(0.05),
    profileOn: (day) => profileOf(diceOf(`profile ${userId}`), day, { shown, sex, sought, language }),
  };
}

function userIdFor(dice: Dice, plain: string, taken: Set<string>): string {
  for (;;) {
    const userId = `${plain}${dice.pick(["_", "-", ""])}${dice.whole(10, 999)}`;
    if (taken.has(userId)) continue;
    taken.add(userId);
    return userId;
  }
}

function profileOf(
  dice: Dice,
  day: string,
  { shown, sex, sought, language }: { shown: string; sex: Sex; sought: SearchSex; language: Language },
): ProfileForm {
  const date_of_birth = birthDate(dice, day);
  const { description, purpose, hobby } = introduce(dice, language);
  const marriedYears = dice.whole(1, Math.max(1, ageOn(day, date_of_birth) - 27));
  return {
    username: language === "en" && dice.happens(0.5) ? `${shown} ${initial(dice)}.` : shown,
    sex,
    date_of_birth,
    description,
    purpose,
    hobby,
    how_long_married: dice.happens(0.9) ? marriedYears : null,
    how_long_married_unit: "year",
    ...bodyOf(dice, sex, language),
    ...incomeOf(dice, language),
    twitter: null,
    instagram: null,
    facebook: null,
    line: null,
    search_sex: sought,
    search_range_unit: language === "en" ? dice.pick(["km", "mile"]) : "km",
    search_min_range: null,
    search_max_range: null,
    search_min_age: null,
    search_max_age: null,
  };
}

const initial = (dice: Dice): string => String.fromCharCode(65 + dice.whole(0, 22));

function birthDate(dice: Dice, day: string): string {
  const year = Number(day.slice(0, 4)) - dice.whole(AGES[0] + 1, AGES[1]);
  const [month, date] = [dice.whole(1, 12), dice.whole(1, 28)].map((n) => String(n).padStart(2, "0"));
  return `${year}-${month}-${date}`;
}

/** Three to six sentences, and the two short answers that go with them. */
function introduce(dice: Dice, language: Language) {
  const { openings, days, interests, wishes, closings } = words[language];
  const [interest, other] = dice.shuffle(interests) as [(typeof interests)[0], (typeof interests)[0]];
  const wish = dice.pick(wishes);
  const sentences = [
    ...(dice.happens(0.85) ? [dice.pick(openings)] : []),
    ...(dice.happens(0.75) ? [dice.pick(days)] : []),
    interest.told,
    ...(dice.happens(0.4) ? [other.told] : []),
    wish.told,
    dice.pick(closings),
  ];
  return {
    description: sentences.join(language === "en" ? " " : ""),
    purpose: dice.happens(0.8) ? wish.purpose : null,
    hobby: dice.happens(0.85) ? interest.hobby : null,
  };
}

function bodyOf(dice: Dice, sex: Sex, language: Language) {
  const cm = (sex === "female" ? 150 : 163) + dice.whole(0, 24);
  const kg = Math.round(cm - 108 + dice.whole(-6, 16));
  const isImperial = language === "en" && dice.happens(0.5);
  const inches = Math.round(cm / CM_PER_INCH);
  const feetAndInches = Math.floor(inches / 12) + (inches % 12) / 100;
  return {
    tall: isImperial ? Number(feetAndInches.toFixed(2)) : cm,
    tall_unit: isImperial ? ("feet inches" as const) : ("cm" as const),
    weight: dice.happens(0.6) ? (isImperial ? Math.round(kg * 2.2) : kg) : null,
    weight_unit: isImperial ? ("pound" as const) : ("kg" as const),
  };
}

function incomeOf(dice: Dice, language: Language) {
  const [unit, yearly] = {
    en: ["USD", dice.whole(28, 140) * 1_000] as const,
    ja: ["JPY", dice.whole(32, 140) * 100_000] as const,
    "zh-hans": ["USD", dice.whole(14, 90) * 1_000] as const,
    "zh-hant": ["TWD", dice.whole(50, 240) * 10_000] as const,
  }[language];
  const isMonthly = dice.happens(0.3);
  return {
    salary: dice.happens(0.55) ? (isMonthly ? Math.round(yearly / 1_200) * 100 : yearly) : null,
    salary_unit: unit,
    salary_duration: isMonthly ? ("month" as const) : ("year" as const),
  };
}

function soughtBy(dice: Dice, sex: Sex): SearchSex {
  const other: Sex = sex === "female" ? "male" : "female";
  return dice.pick<SearchSex>([other, other, other, other, other, "all", "all", "all", "all", sex]);
}
