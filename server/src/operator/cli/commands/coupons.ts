import { addMonths, endOfDay } from "@alcove/contract/calendar";
import { CouponValue } from "@alcove/contract/console";
import { CouponId } from "@alcove/contract/membership";
import { COUPON_ID, COUPONS_AT_ONCE, PLAN } from "@alcove/contract/limits";
import { currencies, PRICES } from "@alcove/contract/prices";
import * as z from "zod/mini";
import type { AppContext } from "../../../platform/context.ts";
import { createCoupon, createCoupons, disableCoupon, type ListedCoupon, listCoupons } from "../../coupons.ts";
import type { Actor } from "../../members.ts";
import {
  parseCount,
  type Fields,
  type Group,
  type Lines,
  type FieldDescriptions,
  noArguments,
  singleArgument,
  OperatorError,
  parsePlan,
  required,
  UsageError,
  type Options,
} from "../command-line.ts";

const MAX_USES = 1_000_000;
/** Codes that were sold stay valid for long. */
const SOLD_MONTHS = 36;

const COUPON: FieldDescriptions = {
  id: "as typed by members",
  year: "years granted",
  month: "months granted",
  state: "`usable`, `over` (expired or used up) or `disabled`",
  used: "number of uses",
  max_uses: "maximum number of uses",
  value: "the price of the code elsewhere",
  expires_at: "expiry",
  created_at: "creation time",
  disabled_at: "time of disabling",
};

function describe(coupon: ListedCoupon): Fields {
  return {
    id: coupon.coupon_id,
    year: String(coupon.year),
    month: String(coupon.month),
    state: coupon.state,
    used: String(coupon.used),
    max_uses: String(coupon.max_uses),
    value: coupon.value,
    expires_at: coupon.expires_at.toISOString(),
    created_at: coupon.created_at.toISOString(),
    disabled_at: coupon.disabled_at?.toISOString() ?? null,
  };
}

const byCommand = (reason: string | null): Actor => ({ operatorId: null, reason });

function parseId(value: string | undefined): string {
  const parsed = z.safeParse(CouponId, value ?? "");
  if (parsed.success && COUPON_ID.pattern.test(parsed.data)) return parsed.data;
  throw new UsageError(
    "A coupon's id is 3 to 40 letters, digits, hyphens and underscores, and begins with a letter or a digit.",
  );
}

/** A day ends at its end, in UTC as shown. */
export function parseTime(value = ""): Date {
  const [, day = "", time] =
    /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/.exec(value) ?? [];
  const end = endOfDay(day, "UTC");
  const at = time === undefined ? end : end && new Date(value);
  if (at && !Number.isNaN(at.getTime())) return at;
  throw new UsageError("--expires-at must be a day or a time with its zone, such as 2027-01-31T23:59:59Z.");
}

function parseValue(typed: string | undefined): string | null {
  if (typed === undefined) return null;
  const parsed = z.safeParse(CouponValue, typed);
  if (parsed.success) return parsed.data;
  throw new UsageError('--value must be a currency and an amount, such as "USD 80".');
}

/** Without years and months, those that cost the value here. */
function parseSoldPlan(values: Options, value: string | null) {
  const isGiven = values["year"] !== undefined || values["month"] !== undefined;
  const plan = isGiven || value === null ? null : planFor(value);
  return plan ?? parsePlan(values, "coupons create needs --year or --month.");
}

function planFor(value: string): { year: number; month: number } | null {
  const [code, amount] = value.split(" ");
  const currency = currencies.find((one) => one === code);
  if (!currency) return null;
  const prices = PRICES[currency];
  const year = Math.floor(Number(amount) / prices.year);
  const month = (Number(amount) - year * prices.year) / prices.month;
  const isPlan = Number.isInteger(month) && year + month > 0 && year <= PLAN.maxYears;
  return isPlan ? { year, month } : null;
}

function parseNew(values: Options) {
  const value = parseValue(values["value"]);
  const terms = { ...parseSoldPlan(values, value), value };
  const count = parseCount("count", values["count"], COUPONS_AT_ONCE);
  if (count > 0) {
    if (values["id"] !== undefined) throw new UsageError("--count draws the ids: leave out --id.");
    const maxUses = parseCount("max-uses", values["max-uses"] ?? "1", MAX_USES) || 1;
    const expiresAt = values["expires-at"] === undefined ? null : parseTime(values["expires-at"]);
    return { count, ...terms, maxUses, expiresAt };
  }
  const id = parseId(values["id"]);
  const maxUses = parseCount("max-uses", values["max-uses"], MAX_USES);
  if (maxUses === 0) throw new UsageError("coupons create needs --max-uses, at least 1.");
  return { id, ...terms, maxUses, expiresAt: parseTime(values["expires-at"]) };
}

async function create(
  ctx: AppContext,
  input: ReturnType<typeof parseNew>,
  reason: string | null,
): Promise<Fields | Lines> {
  const now = ctx.clock.now();
  const expiresAt = input.expiresAt ?? addMonths(now, SOLD_MONTHS, "UTC");
  if (expiresAt <= now) throw new OperatorError("--expires-at has passed already.");
  if ("count" in input) return createCoupons(ctx, byCommand(reason), { ...input, expiresAt });
  const created = await createCoupon(ctx, byCommand(reason), { ...input, expiresAt });
  return describe(required(created, `The coupon ${input.id} already exists.`));
}

export const coupons: Group = {
  create: {
    usage: "--id X|--count 100 --year 1 --month 0 --max-uses 3 --expires-at ISO",
    summary: "with --count it prints one id a line; coupons earn no fee",
    fields: COUPON,
    options: {
      id: "as typed by members, in any case",
      year: "whole years",
      month: "whole months",
      count: `how many codes to draw, up to ${COUPONS_AT_ONCE}`,
      value: 'the price of a code elsewhere ("USD 80"); without years and months, those that cost it here',
      "max-uses": "maximum number of members, each once; 1 with --count",
      "expires-at": "the last day, in UTC (2027-01-31), or a time with its zone; with --count in three years",
    },
    parse: (words, values) => {
      noArguments(words, "coupons create takes only options.");
      const input = parseNew(values);
      return (ctx, reason) => create(ctx, input, reason);
    },
  },
  list: {
    usage: "",
    summary: "newest first",
    fields: COUPON,
    parse: (words) => {
      noArguments(words, "coupons list takes no arguments.");
      return async (ctx, reason) => (await listCoupons(ctx, byCommand(reason))).map(describe);
    },
  },
  disable: {
    usage: "ID",
    summary: "earlier grants stay",
    fields: COUPON,
    parse: (words) => {
      const id = parseId(singleArgument(words, "coupons disable takes one ID."));
      return async (ctx, reason) =>
        describe(required(await disableCoupon(ctx, byCommand(reason), id), `There is no coupon ${id}.`));
    },
  },
};
