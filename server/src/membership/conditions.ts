import { countryOf } from "@alcove/contract/countries";
import { endOfDay } from "@alcove/contract/calendar";
import { isTooLong, type RegionRules, rulesOf, WITHDRAWAL_EXTRA_DAYS } from "@alcove/contract/regions";
import { DAY_MS, dayIn, utcDay } from "../platform/clock.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import type { OrderKey, OrderRow } from "./orders.sql.ts";

export interface Conditions {
  readonly country: string | null;
  readonly startAtOnce: boolean;
  readonly withdrawal: RegionRules["withdrawal"];
  readonly tax: number;
  readonly timeZone: string;
}

interface Buyer {
  readonly country: string | null;
  readonly startAtOnce: boolean;
}

interface SoldPlan {
  readonly months: number;
  readonly usd: number;
}

/**
 * Returns the conditions of a new order.
 *
 * @throws country_required, country_closed, plan_too_long
 */
export function conditionsOfNewOrder(ctx: AppContext, buyer: Buyer, plan: SoldPlan): Conditions {
  const { regions, isCountryRequired } = ctx.config;
  if (buyer.country === null && isCountryRequired) throw new ApiError("country_required");
  const rules = rulesOf(regions, buyer.country);
  if (!rules.open) throw new ApiError("country_closed");
  if (isTooLong(rules, plan)) throw new ApiError("plan_too_long");
  return conditionsOf(rules, buyer, ctx.clock.now());
}

/** The payer's country decides if it differs from the chosen one. */
export function conditionsAtPayment(
  ctx: AppContext,
  chosen: Conditions,
  payerCountry: string | null,
): Conditions {
  if (payerCountry === null || (chosen.country && countryOf(chosen.country) === payerCountry)) return chosen;
  const buyer = { country: payerCountry, startAtOnce: chosen.startAtOnce };
  return conditionsOf(rulesOf(ctx.config.regions, payerCountry), buyer, ctx.clock.now());
}

function conditionsOf(rules: RegionRules, { country, startAtOnce }: Buyer, now: Date): Conditions {
  const { withdrawal, tax } = rules;
  return {
    country,
    startAtOnce,
    withdrawal,
    tax,
    timeZone: rules.time_zone ?? westernmostZone(country, now),
  };
}

type LocaleWithZones = Intl.Locale & { getTimeZones?(): string[] | undefined };

/** A country's last day to end: in the buyer's favour. */
function westernmostZone(country: string | null, now: Date): string {
  const locale: LocaleWithZones | null =
    country === null ? null : new Intl.Locale(`und-${countryOf(country)}`);
  const zones = locale?.getTimeZones?.() ?? [];
  const ends = zones.map((zone) => ({ zone, end: endOfDay(utcDay(now), zone)!.getTime() }));
  return ends.toSorted((a, b) => b.end - a.end)[0]?.zone ?? "UTC";
}

/** The end of the period's last day in the country's time; null without a right. */
export function withdrawUntil({ withdrawal, timeZone }: Conditions, paidAt: Date): Date | null {
  if (!withdrawal) return null;
  const day = new Date(dayIn(timeZone, paidAt)).getTime();
  return endOfDay(utcDay(new Date(day + (withdrawal.days + WITHDRAWAL_EXTRA_DAYS) * DAY_MS)), timeZone);
}

/** A member who has not agreed to new terms gets unused days back in each country and at any time. */
export function refusesTerms({ consentRequiredFrom }: CurrentMember): boolean {
  return consentRequiredFrom !== null;
}

const PADDED_TO = 256;
const conditionsContext = ({ order_id }: OrderKey): string => `orders.encrypted_conditions:${order_id}`;

export function encryptConditions(
  { encryption }: AppContext,
  order: OrderKey,
  conditions: Conditions,
): Promise<Buffer> {
  return encryption.encrypt(order.member_no, JSON.stringify(conditions), conditionsContext(order), PADDED_TO);
}

export async function decryptConditions({ encryption }: AppContext, order: OrderRow): Promise<Conditions> {
  const text = await encryption.decrypt(order.encrypted_conditions, conditionsContext(order));
  return JSON.parse(text) as Conditions;
}

export async function decryptConditionsIfKept(
  { encryption }: AppContext,
  order: OrderRow,
): Promise<Conditions | null> {
  const text = await encryption.decryptIfKept(order.encrypted_conditions, conditionsContext(order));
  return text === null ? null : (JSON.parse(text) as Conditions);
}
