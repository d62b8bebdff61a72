import { CouponId } from "@alcove/contract/membership";
import { COUPON_ID } from "@alcove/contract/limits";
import * as z from "zod/mini";
import { logOperatorAction } from "../../accounts/index.ts";
import { type CouponRow, createCoupon, disableCoupon, listCoupons } from "../../membership/index.ts";
import type { AppContext } from "../../platform/context.ts";
import {
  count,
  type Facts,
  type Group,
  type Meanings,
  noWords,
  oneWord,
  OperatorProblem,
  plan,
  UsageProblem,
  type Values,
} from "../command-line.ts";

const NOBODY = { userId: "-" };
const MOST_USES = 1_000_000;

const COUPON: Meanings = {
  id: "what members type",
  year: "whole years that it gives",
  month: "whole months that it gives",
  state: "`usable`, `over` (its time, or its uses) or `disabled`",
  used: "by how many members",
  max_uses: "by how many it may be used",
  expires_at: "until when",
  created_at: "when it was made",
  disabled_at: "when it was disabled",
};

function describe(coupon: CouponRow, now: Date): Facts {
  const { disabled_at, expires_at, used, max_uses } = coupon;
  const isOver = expires_at <= now || used >= max_uses;
  return {
    id: coupon.coupon_id,
    year: String(coupon.year),
    month: String(coupon.month),
    state: disabled_at ? "disabled" : isOver ? "over" : "usable",
    used: String(used),
    max_uses: String(max_uses),
    expires_at: expires_at.toISOString(),
    created_at: coupon.created_at.toISOString(),
    disabled_at: disabled_at?.toISOString() ?? null,
  };
}

/** An id as it is stored: in capitals. */
function readId(value: string | undefined): string {
  const read = z.safeParse(CouponId, value ?? "");
  if (read.success && COUPON_ID.pattern.test(read.data)) return read.data;
  throw new UsageProblem(
    "A coupon's id is 3 to 40 letters, digits, hyphens and underscores, and begins with a letter or a digit.",
  );
}

/** A moment to come: a day in UTC, or a time with its zone. */
function readMoment(value: string | undefined): Date {
  const isMoment = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/.test(
    value ?? "",
  );
  const at = new Date(isMoment ? value! : Number.NaN);
  if (!Number.isNaN(at.getTime())) return at;
  throw new UsageProblem("--expires-at must be a day or a time with its zone, such as 2027-01-31T23:59:59Z.");
}

function readNew(values: Values) {
  const id = readId(values["id"]);
  const { year, month } = plan(values, "coupons create needs --year or --month.");
  const maxUses = count("max-uses", values["max-uses"], MOST_USES);
  if (maxUses === 0) throw new UsageProblem("coupons create needs --max-uses, at least 1.");
  return { id, year, month, maxUses, expiresAt: readMoment(values["expires-at"]) };
}

async function create(
  ctx: AppContext,
  wish: ReturnType<typeof readNew>,
  reason: string | null,
): Promise<Facts> {
  const now = ctx.clock.now();
  if (wish.expiresAt <= now) throw new OperatorProblem("--expires-at has passed already.");
  const { id, year, month, maxUses, expiresAt } = wish;
  const told = `coupons create ${id} year=${year} month=${month} max-uses=${maxUses} expires-at=${expiresAt.toISOString()}`;
  await logOperatorAction(ctx, told, NOBODY, reason);
  const coupon = await createCoupon(ctx, wish);
  if (!coupon) throw new OperatorProblem(`There is a coupon ${id} already.`);
  return describe(coupon, now);
}

export const coupons: Group = {
  create: {
    takes: "--id X --year 1 --month 0 --max-uses 3 --expires-at ISO",
    says: "",
    tells: COUPON,
    options: {
      id: "what members type, in whatever case",
      year: "whole years",
      month: "whole months",
      "max-uses": "by how many members; each may use it once",
      "expires-at": "a day in UTC (2027-01-31) or a time with its zone",
    },
    read: (words, values) => {
      noWords(words, "coupons create takes options alone.");
      const wish = readNew(values);
      return (ctx, reason) => create(ctx, wish, reason);
    },
  },
  list: {
    takes: "",
    says: "the newest first",
    tells: COUPON,
    read: (words) => {
      noWords(words, "coupons list takes nothing.");
      return async (ctx, reason) => {
        await logOperatorAction(ctx, "coupons list", NOBODY, reason);
        const now = ctx.clock.now();
        return (await listCoupons(ctx)).map((coupon) => describe(coupon, now));
      };
    },
  },
  disable: {
    takes: "ID",
    says: "from now on; what it gave stays",
    tells: COUPON,
    read: (words) => {
      const id = readId(oneWord(words, "coupons disable takes one ID."));
      return async (ctx, reason) => {
        await logOperatorAction(ctx, `coupons disable ${id}`, NOBODY, reason);
        const coupon = await disableCoupon(ctx, id);
        if (!coupon) throw new OperatorProblem(`There is no coupon ${id}.`);
        return describe(coupon, ctx.clock.now());
      };
    },
  },
};
