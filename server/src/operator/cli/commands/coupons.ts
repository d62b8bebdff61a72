import { endOfDay } from "@alcove/contract/calendar";
import { CouponId } from "@alcove/contract/membership";
import { COUPON_ID } from "@alcove/contract/limits";
import * as z from "zod/mini";
import type { AppContext } from "../../../platform/context.ts";
import { createCoupon, disableCoupon, type ListedCoupon, listCoupons } from "../../coupons.ts";
import type { Actor } from "../../members.ts";
import {
  parseCount,
  type Fields,
  type Group,
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

const COUPON: FieldDescriptions = {
  id: "as typed by members",
  year: "years granted",
  month: "months granted",
  state: "`usable`, `over` (expired or used up) or `disabled`",
  used: "number of uses",
  max_uses: "maximum number of uses",
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

function parseNew(values: Options) {
  const id = parseId(values["id"]);
  const { year, month } = parsePlan(values, "coupons create needs --year or --month.");
  const maxUses = parseCount("max-uses", values["max-uses"], MAX_USES);
  if (maxUses === 0) throw new UsageError("coupons create needs --max-uses, at least 1.");
  return { id, year, month, maxUses, expiresAt: parseTime(values["expires-at"]) };
}

async function create(
  ctx: AppContext,
  input: ReturnType<typeof parseNew>,
  reason: string | null,
): Promise<Fields> {
  if (input.expiresAt <= ctx.clock.now()) throw new OperatorError("--expires-at has passed already.");
  const created = await createCoupon(ctx, byCommand(reason), input);
  return describe(required(created, `The coupon ${input.id} already exists.`));
}

export const coupons: Group = {
  create: {
    usage: "--id X --year 1 --month 0 --max-uses 3 --expires-at ISO",
    summary: "",
    fields: COUPON,
    options: {
      id: "as typed by members, in any case",
      year: "whole years",
      month: "whole months",
      "max-uses": "maximum number of members; each may use it once",
      "expires-at": "the last day, in UTC (2027-01-31), or a time with its zone",
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
