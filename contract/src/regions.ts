import * as z from "zod/mini";
import { countries, countryOf, isRegion } from "./countries.ts";
import { parseTimeZone } from "./time-zone.ts";

const inRange = (min: number, max: number): [z.core.$ZodCheck<number>, z.core.$ZodCheck<number>] => {
  const message = `must be from ${min} to ${max}`;
  return [z.minimum(min, message), z.maximum(max, message)];
};

const Withdrawal = z.strictObject(
  {
    days: z.int("must be a whole number").check(...inRange(1, 365)),
    /** The refund: the whole price, or that of the unused days. */
    share: z.enum(["all", "unused"], 'must be "all" or "unused"'),
  },
  'must be null or { "days", "share" }',
);

const LongestPlan = z.strictObject(
  {
    years: z.optional(z.int("must be a whole number").check(...inRange(1, 10))),
    usd: z.optional(z.number("must be a number").check(...inRange(1, 1_000_000))),
  },
  'must be null or { "years", "usd" }',
);

export const RegionRules = z.strictObject({
  open: z.boolean("must be true or false"),
  withdrawal: z.nullable(Withdrawal),
  longest_plan: z.nullable(LongestPlan),
  /** The part of the net price that is added as tax: 0.19 is 19 %. Prices include it. */
  tax: z.number("must be a number").check(...inRange(0, 1)),
  notices: z.array(z.string("must be a text"), "must be a list of texts"),
  /** In which a withdrawal period ends; null is the westernmost zone of the country. */
  time_zone: z.nullable(z.string("must be a text")),
});
export type RegionRules = z.infer<typeof RegionRules>;

/** By country or state. A state inherits from its country. */
export type Regions = Readonly<Record<string, Partial<RegionRules>>>;

/** For weekends and holidays. */
export const WITHDRAWAL_EXTRA_DAYS = 3;

const FOURTEEN_DAYS = { days: 14, share: "unused" } as const;
const withRight = (tax: number, time_zone: string | null = null): Partial<RegionRules> => ({
  withdrawal: FOURTEEN_DAYS,
  tax,
  time_zone,
});

const NO_RULES: RegionRules = {
  open: true,
  withdrawal: null,
  longest_plan: null,
  tax: 0,
  notices: [],
  time_zone: null,
};

/** Those of the EU, if neither buyer nor payment names a country. */
const RULES_WITHOUT_COUNTRY: RegionRules = {
  ...NO_RULES,
  withdrawal: FOURTEEN_DAYS,
  time_zone: "Europe/Lisbon",
};

/**
 * Directive 2011/83/EU and the Consumer Contracts Regulations 2013 (UK): 14 days. Consumer Protection Act of Taiwan,
 * article 19: 7 days. California Civil Code 1694.1 and New York General Business Law 394-c: 3 business days. Taxes are
 * the standard rates.
 */
export const REGIONS: Regions = {
  AT: withRight(0.2),
  BE: withRight(0.21),
  BG: withRight(0.2),
  CY: withRight(0.19, "Asia/Nicosia"),
  CZ: withRight(0.21),
  DE: withRight(0.19, "Europe/Berlin"),
  DK: withRight(0.25),
  EE: withRight(0.24),
  ES: withRight(0.21, "Europe/Madrid"),
  FI: withRight(0.255),
  FR: withRight(0.2, "Europe/Paris"),
  GB: withRight(0.2),
  GR: withRight(0.24),
  HR: withRight(0.25),
  HU: withRight(0.27),
  IE: withRight(0.23),
  IS: withRight(0.24),
  IT: withRight(0.22),
  LI: withRight(0.081),
  LT: withRight(0.21),
  LU: withRight(0.17),
  LV: withRight(0.21),
  MT: withRight(0.18),
  NL: withRight(0.21),
  NO: withRight(0.25),
  PL: withRight(0.23),
  PT: withRight(0.23, "Europe/Lisbon"),
  RO: withRight(0.21),
  SE: withRight(0.25),
  SI: withRight(0.22),
  SK: withRight(0.23),
  JP: { tax: 0.1 },
  TW: { withdrawal: { days: 7, share: "all" }, tax: 0.05 },
  "US-CA": { withdrawal: { days: 3, share: "all" }, time_zone: "America/Los_Angeles" },
  "US-NY": {
    withdrawal: { days: 3, share: "all" },
    longest_plan: { years: 2, usd: 1_000 },
    time_zone: "America/New_York",
  },
};

export function rulesOf(regions: Regions, region: string | null): RegionRules {
  if (region === null) return RULES_WITHOUT_COUNTRY;
  return { ...NO_RULES, ...regions[countryOf(region)], ...regions[region] };
}

interface SoldPlan {
  readonly months: number;
  readonly usd: number;
}

export function isTooLong({ longest_plan: longest }: RegionRules, { months, usd }: SoldPlan): boolean {
  return longest !== null && (months > 12 * (longest.years ?? Infinity) || usd > (longest.usd ?? Infinity));
}

const RegionsFile = z.record(
  z.string(),
  z.partial(RegionRules),
  'must be an object such as { "TW": { "tax": 0.05 } }',
);

/** Returns the built-in table with an operator's changes, or their mistakes. */
export function mergeRegions(changes: unknown): { regions: Regions } | { problems: readonly string[] } {
  const read = z.safeParse(RegionsFile, changes);
  if (!read.success) return { problems: read.error.issues.map(describe) };
  const unknown = Object.keys(read.data).filter((code) => !isRegion(code));
  const zones = Object.entries(read.data).filter(([, { time_zone: zone }]) => zone && !parseTimeZone(zone));
  const problems = [
    ...unknown.map(
      (code) => `"${code}" is no country of ISO 3166-1 (such as DE) and no state (such as US-CA)`,
    ),
    ...zones.map(([code]) => `${code}.time_zone is no time zone (such as Europe/Berlin)`),
  ];
  if (problems.length > 0) return { problems };
  const merged = Object.entries(read.data).map(
    ([code, row]) => [code, { ...REGIONS[code], ...row }] as const,
  );
  return { regions: { ...REGIONS, ...Object.fromEntries(merged) } };
}

function describe({ path, message, ...issue }: z.core.$ZodIssue): string {
  const place = path.join(".") || "the file";
  return "keys" in issue ? `${place} has unknown fields: ${issue.keys.join(", ")}` : `${place}: ${message}`;
}

export function regionsToChoose(regions: Regions): string[] {
  return [...countries, ...Object.keys(regions).filter((code) => code.includes("-"))];
}
