import * as z from "zod/mini";
import { call } from "./call.ts";
import { FREE } from "./costs.ts";
import { choice, fillable } from "./fields.ts";
import { currencies } from "./prices.ts";

export const periodKinds = ["day", "month"] as const;
export type PeriodKind = (typeof periodKinds)[number];

/** `<10` stands for 1 to 9, and for a sum of so few. */
const Figure = z.union([z.number(), z.literal("<10")]);
export type Figure = z.infer<typeof Figure>;

const inCurrencies = z.record(z.enum(currencies), Figure);
/** By country of ISO 3166-1. */
const inCountries = z.record(z.string(), Figure);

const Period = z.object({
  /** A day `2027-01-31` or a month `2027-01`, in UTC. */
  period: z.string(),
  /** At the end of the period, or now. */
  members_female: Figure,
  members_male: Figure,
  members_by_country: inCountries,
  sign_ups: Figure,
  active_members: Figure,
  cards: Figure,
  likes: Figure,
  matches: Figure,
  first_messages: Figure,
  buyers: inCurrencies,
  buyers_by_country: inCountries,
  /** In units of the currency, with decimals for USD; refunds are not subtracted. */
  revenue: inCurrencies,
  refunds: inCurrencies,
  refunded: inCurrencies,
  fees: Figure,
  fees_usd: Figure,
  reports: Figure,
  /** Cases decided, and the mean number of days until then. */
  reports_closed: Figure,
  report_days: Figure,
});
export type Period = z.infer<typeof Period>;

export const getStatistics = call({
  name: "getStatistics",
  summary:
    "Returns sums of each day or month, without a person. 1 to 9 are `<10`. By default the last 30 days or 12 months.",
  method: "GET",
  path: "/api/statistics",
  access: "operator",
  costs: FREE,
  input: z.object({
    by: choice(periodKinds),
    from: fillable(z.iso.date({ error: "date_invalid" })),
    to: fillable(z.iso.date({ error: "date_invalid" })),
  }),
  response: z.object({ periods: z.array(Period) }),
  errors: ["invalid_input"],
});
