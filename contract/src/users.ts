import * as z from "zod/mini";
import {
  choice,
  fillable,
  areValid,
  hasBoth,
  keepable,
  line,
  messageKey,
  number,
  text,
  type FieldMessage,
  WebUrl,
  wholeNumber,
} from "./fields.ts";
import * as limits from "./limits.ts";
import { countBlocks } from "./text-rules.ts";

export const sexes = ["female", "male"] as const;
export const searchSexes = ["female", "male", "all"] as const;
export const marriedUnits = ["day", "month", "year"] as const;
export const tallUnits = ["cm", "feet inches"] as const;
export const weightUnits = ["kg", "pound"] as const;
export const salaryUnits = ["USD", "TWD", "JPY"] as const;
export const salaryDurations = ["day", "month", "year"] as const;
export const rangeUnits = ["km", "mile"] as const;
/** The size of the place that stands for a member's position: about 2, 6 and 16 km across. */
export const locationPrecisions = ["cell", "town", "region"] as const;

/** When a free member's card comes, by a clock of their zone. */
export const ARRIVAL_HOURS = { midnight: 0, morning: 7, noon: 12, evening: 20 } as const;
export type Arrival = keyof typeof ARRIVAL_HOURS;
export const arrivals = ["midnight", "morning", "noon", "evening"] as const satisfies readonly Arrival[];

export const correctionStates = ["waiting", "done", "rejected"] as const;

export type CorrectionState = (typeof correctionStates)[number];
export type Sex = (typeof sexes)[number];
export type SearchSex = (typeof searchSexes)[number];
export type RangeUnit = (typeof rangeUnits)[number];
export type LocationPrecision = (typeof locationPrecisions)[number];

const details = {
  how_long_married: z.nullable(z.number()),
  how_long_married_unit: z.enum(marriedUnits),
  tall: z.nullable(z.number()),
  tall_unit: z.enum(tallUnits),
  weight: z.nullable(z.number()),
  weight_unit: z.enum(weightUnits),
  salary: z.nullable(z.number()),
  salary_unit: z.enum(salaryUnits),
  salary_duration: z.enum(salaryDurations),
  purpose: z.nullable(z.string()),
  hobby: z.nullable(z.string()),
  twitter: z.nullable(z.string()),
  instagram: z.nullable(z.string()),
  facebook: z.nullable(z.string()),
  line: z.nullable(z.string()),
};

export const Party = z.object({ user_id: z.string(), username: z.string(), icon: z.string() });
export type Party = z.infer<typeof Party>;

/** `YYYY-MM-DD` in UTC. Matches keep no time. */
export const MatchDay = z.string();

/** The readers of a note: all who may see the profile, matches, or its author only. */
export const noteVisibilities = ["public", "private", "secret"] as const;
export type NoteVisibility = (typeof noteVisibilities)[number];
/** `week`: the reply to the question of the week of `day`. */
export const noteKinds = ["note", "week"] as const;
export type NoteKind = (typeof noteKinds)[number];

export const Post = z.object({
  id: z.string(),
  text: z.string(),
  visibility: z.enum(noteVisibilities),
  kind: z.enum(noteKinds),
  /** `YYYY-MM-DD` in the zone of the card days. */
  day: z.string(),
});
export type Post = z.infer<typeof Post>;

/** The processed picture as a data URL; with 0 `faces` all of it was processed. */
const Face = z.object({ x: z.number(), y: z.number(), width: z.number(), height: z.number() });

export const IconPreview = z.object({
  icon: z.string(),
  faces: z.int(),
  /** The longest certain face as shares of the picture's side; null without one. */
  face: z.nullable(Face),
});
export type IconPreview = z.infer<typeof IconPreview>;

/** A member as others see them: no email, birth date, position, filter, status or exact times. */
export const PublicUser = z.object({
  user_id: z.string(),
  username: z.string(),
  icon: z.string(),
  icon_process: z.boolean(),
  /** One to three, in the member's order; the first is `icon`. */
  pictures: z.array(z.string()),
  /** The clear picture, if this member shows it to the viewer; null for candidates. */
  clear_icon: z.nullable(z.string()),
  clear_pictures: z.array(z.nullable(z.string())),
  sex: z.enum(sexes),
  age: z.int(),
  description: z.string(),
  /** `twitter`, `instagram`, `facebook` and `line` are null unless the two are matched. */
  ...details,
  /**
   * Upper end of the distance band in `distance_unit`. Null for members who are neither a match nor dealt to the viewer,
   * and without a position of both.
   */
  distance: z.nullable(z.int()),
  distance_unit: z.enum(rangeUnits),
  /** Notes that the viewer may read, newest first. */
  posts: z.array(Post),
});
export type PublicUser = z.infer<typeof PublicUser>;

export const User = z.object({
  user_id: z.string(),
  username: z.string(),
  email: z.string(),
  /** False for members who sign in with Google only. */
  has_password: z.boolean(),
  has_passkey: z.boolean(),
  icon: z.string(),
  icon_process: z.boolean(),
  /** One to three, in the member's order; the first is `icon`. Calls about a picture take its path. */
  pictures: z.array(z.string()),
  pictures_process: z.array(z.boolean()),
  /** Beside `pictures`: an operator looks at the picture before others see it. */
  pictures_waiting: z.array(z.boolean()),
  /** The clear picture kept for chosen matches. */
  clear_icon: z.nullable(z.string()),
  clear_pictures: z.array(z.nullable(z.string())),
  sex: z.enum(sexes),
  date_of_birth: z.string(),
  age: z.int(),
  description: z.string(),
  ...details,
  status: z.enum(["free", "paid"]),
  paid_account_expired_at: z.nullable(z.string()),
  /** The months that led to the expiry; another purchase adds to them, so that the day of the first one is kept. */
  paid_account_term: z.optional(
    z.nullable(z.object({ started_at: z.string(), months: z.int(), time_zone: z.string() })),
  ),
  brokerage_fee_percentage: z.number(),
  search_sex: z.enum(searchSexes),
  search_range_unit: z.enum(rangeUnits),
  search_min_range: z.number(),
  search_max_range: z.number(),
  search_min_age: z.number(),
  search_max_age: z.number(),
  /** `[longitude, latitude]` of the centre of the place that `location_precision` allows. */
  location: z.nullable(z.tuple([z.number(), z.number()])),
  gps_updated_at: z.nullable(z.string()),
  location_precision: z.enum(locationPrecisions),
  /** A version of terms or privacy policy holds to which the member has not agreed. */
  consent_due: z.boolean(),
  age_checked: z.boolean(),
  /** A link in an email stopped the account, and the member has not chosen an address yet. */
  email_choice_due: z.boolean(),
  /** A request for a new address is open, by a sender who cannot read the member's email. */
  new_email_asked: z.boolean(),
  /** Hidden from all but matches, until the day `paused_until` begins in the member's time zone, if set. */
  paused: z.boolean(),
  paused_until: z.nullable(z.string()),
  /** Hidden from all but matches and members whom this one liked. */
  only_liked: z.boolean(),
  /** Of the request to correct sex or date of birth that waits, else of the newest one. */
  correction: z.nullable(z.enum(correctionStates)),
  posts: z.array(Post),
  /** Null until the member chooses; the card then comes at midnight in `DAY_TIME_ZONE`. */
  arrival: z.nullable(z.enum(arrivals)),
  arrival_zone: z.nullable(z.string()),
  /** Null while a card waits, and for paid members. */
  card_arrives_at: z.nullable(z.string()),
});
export type User = z.infer<typeof User>;

export function memberText(max: number) {
  return text(max).check(
    z.refine((value) => countBlocks(value) <= limits.BLOCKS_MAX, messageKey("too_many_blocks")),
  );
}

export const profileFields = {
  username: line(limits.USERNAME_MAX),
  description: memberText(limits.DESCRIPTION_MAX),
  how_long_married: fillable(number(0, limits.HOW_LONG_MARRIED_MAX)),
  how_long_married_unit: choice(marriedUnits),
  tall: fillable(number(0, limits.TALL_CM.max)),
  tall_unit: choice(tallUnits),
  weight: fillable(number(limits.WEIGHT.min, limits.WEIGHT.max)),
  weight_unit: choice(weightUnits),
  salary: fillable(number(0, limits.SALARY_MAX)),
  salary_unit: choice(salaryUnits),
  salary_duration: choice(salaryDurations),
  purpose: fillable(text(limits.SHORT_TEXT_MAX)),
  hobby: fillable(text(limits.SHORT_TEXT_MAX)),
  twitter: fillable(WebUrl),
  instagram: fillable(WebUrl),
  facebook: fillable(WebUrl),
  line: fillable(WebUrl),
};

/** The fields of a profile change: required fields may be absent, but not empty. */
export const profileChangeFields = {
  ...profileFields,
  username: keepable(profileFields.username),
  description: keepable(profileFields.description),
  how_long_married_unit: keepable(profileFields.how_long_married_unit),
  tall_unit: keepable(profileFields.tall_unit),
  weight_unit: keepable(profileFields.weight_unit),
  salary_unit: keepable(profileFields.salary_unit),
  salary_duration: keepable(profileFields.salary_duration),
};

/** The fields of a filter form. Absent ranges take their defaults at sign-up. */
export const filterFields = {
  search_sex: choice(searchSexes),
  search_range_unit: choice(rangeUnits),
  search_min_range: fillable(wholeNumber(limits.SEARCH_RANGE.min, limits.SEARCH_RANGE.max)),
  search_max_range: fillable(wholeNumber(limits.SEARCH_RANGE.min, limits.SEARCH_RANGE.max)),
  search_min_age: fillable(wholeNumber(limits.SEARCH_AGE.min, limits.SEARCH_AGE.max)),
  search_max_age: fillable(wholeNumber(limits.SEARCH_AGE.min, limits.SEARCH_AGE.max)),
};

/** The fields of a filter change: an empty range takes its default, a choice cannot be empty. */
export const filterChangeFields = {
  ...filterFields,
  search_sex: keepable(filterFields.search_sex),
  search_range_unit: keepable(filterFields.search_range_unit),
};

type TallUnit = (typeof tallUnits)[number];

/** Feet and inches are feet + inches/100. Returns null for a valid height. */
export function heightError(tall: number, unit: TallUnit): FieldMessage | null {
  const { min, max } = unit === "cm" ? limits.TALL_CM : limits.TALL_FEET;
  const hundredths = Math.round(tall * 100);
  const hasRightInches = Math.abs(tall * 100 - hundredths) < 1e-6 && hundredths % 100 <= 11;
  if (unit !== "cm" && !hasRightInches) return "inches_too_big";
  return tall >= min && tall <= max ? null : "invalid";
}

export const heightChecks = (["inches_too_big", "invalid"] as const).map((problem) =>
  z.refine<{ tall?: number | null | undefined; tall_unit?: TallUnit | undefined }>(
    ({ tall, tall_unit }) => tall == null || !tall_unit || heightError(tall, tall_unit) !== problem,
    { path: ["tall"], error: problem, when: areValid("tall", "tall_unit") },
  ),
);

const RANGES = [
  ["search_min_range", "search_max_range"],
  ["search_min_age", "search_max_age"],
] as const;
type RangeEnd = (typeof RANGES)[number][number];
type Ranges<T = number> = Record<RangeEnd, T>;
type RangeInput = { [End in RangeEnd]?: number | null | undefined };

export const defaultRanges: Ranges = {
  search_min_range: limits.SEARCH_RANGE.defaultMin,
  search_max_range: limits.SEARCH_RANGE.defaultMax,
  search_min_age: limits.SEARCH_AGE.defaultMin,
  search_max_age: limits.SEARCH_AGE.defaultMax,
};
/** For a change: the stored ranges are not known here. */
const unknownRanges: Ranges<undefined> = {
  search_min_range: undefined,
  search_max_range: undefined,
  search_min_age: undefined,
  search_max_age: undefined,
};

/** Merges a form into the old ranges: absent keeps the old value, empty takes the default. */
export function mergeRanges<T>(input: RangeInput, old: Ranges<T>): Ranges<number | T> {
  const merge = (end: RangeEnd): number | T => {
    const value = input[end];
    return value === undefined ? old[end] : (value ?? defaultRanges[end]);
  };
  return {
    search_min_range: merge("search_min_range"),
    search_max_range: merge("search_max_range"),
    search_min_age: merge("search_min_age"),
    search_max_age: merge("search_max_age"),
  };
}

/**
 * Returns the upper ends of reversed ranges.
 *
 * NOTE: a valid input can be reversed after merging: a minimum of 130 meets the default maximum of 120.
 */
export function reversedEnds(ranges: Ranges): RangeEnd[] {
  return RANGES.filter(([min, max]) => ranges[min] > ranges[max]).map(([, max]) => max);
}

const rangeChecks = (old: Ranges<number | undefined>) =>
  RANGES.map(([min, max]) =>
    z.refine<RangeInput>(
      (input) => {
        const { [min]: lower = -Infinity, [max]: upper = Infinity } = mergeRanges(input, old);
        return lower <= upper;
      },
      { path: [max], error: "range_reversed", when: hasBoth(min, max) },
    ),
  );
export const newRangeChecks = rangeChecks(defaultRanges);
export const changedRangeChecks = rangeChecks(unknownRanges);
