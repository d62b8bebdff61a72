import { type Period, type PeriodKind, periodKinds } from "@alcove/contract/console-statistics";
import { readStatistics } from "../../statistics.ts";
import {
  type FieldDescriptions,
  type Group,
  noArguments,
  type Options,
  type Output,
  required,
  UsageError,
} from "../command-line.ts";

const USAGE = "stats takes --by day|month, --from and --to.";

const FIELDS: FieldDescriptions = {
  period: "a day or month in UTC; the running one until now",
  members_female: "members at the end of the period, in steps of ten",
  members_male: "likewise",
  members_by_country: "likewise, by the time zone of their device",
  "members_by_country.country": "ISO 3166-1",
  "members_by_country.figure": "members",
  sign_ups: "new members",
  active_members: "members who used the service, each once",
  cards: "likes and passes",
  likes: "likes",
  matches: "matches",
  first_messages: "first messages of a match",
  buyers: "paid orders",
  "buyers.currency": "currency",
  "buyers.figure": "orders",
  buyers_by_country: "paid orders by country",
  "buyers_by_country.country": "ISO 3166-1",
  "buyers_by_country.figure": "orders",
  revenue: "sum of paid orders, refunds included",
  "revenue.currency": "currency",
  "revenue.figure": "in units of the currency",
  refunds: "refunds, chargebacks and withdrawals",
  "refunds.currency": "currency",
  "refunds.figure": "refunds",
  refunded: "their sum",
  "refunded.currency": "currency",
  "refunded.figure": "in units of the currency",
  fees: "referral fees and their reversals",
  fees_usd: "their sum",
  reports: "new reports",
  reports_closed: "decided cases",
  report_days: "mean number of days until a case was decided",
};

function parseDay(option: string, value: string | undefined): string | null {
  if (value === undefined) return null;
  const day = /^\d{4}-\d{2}$/.test(value) ? `${value}-01` : value;
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day));
  if (isDay && new Date(day).toISOString().startsWith(day)) return day;
  throw new UsageError(`--${option} must be a day (2027-01-31) or a month (2027-01).`);
}

function parseWanted({ by = "day", from, to }: Options) {
  if (!periodKinds.includes(by as PeriodKind)) throw new UsageError(USAGE);
  return { by: by as PeriodKind, from: parseDay("from", from), to: parseDay("to", to) };
}

function toOutput(period: Period): Output {
  const fields = Object.entries(period).map(([name, value]) => {
    if (typeof value !== "object") return [name, value] as const;
    const part = name.endsWith("_by_country") ? "country" : "currency";
    return [name, Object.entries(value).map(([key, figure]) => ({ [part]: key, figure }))] as const;
  });
  return Object.fromEntries(fields);
}

export const stats: Group = {
  "": {
    usage: "--by day|month [--from 2027-01-01] [--to 2027-01-31]",
    summary: 'sums without a person; "<10" is 1 to 9, and a sum of so few',
    options: {
      by: "`day` (default) or `month`",
      from: "the first day or month; the default is 30 days or 12 months",
      to: "the last day or month; the default is now",
    },
    fields: FIELDS,
    hasLongValues: true,
    parse: (words, values) => {
      noArguments(words, USAGE);
      const wanted = parseWanted(values);
      return async (ctx, reason) => {
        const periods = await readStatistics(ctx, { operatorId: null, reason }, wanted);
        return required(periods, "--from is after --to.").map(toOutput);
      };
    },
  },
};
