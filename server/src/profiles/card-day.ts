import { CARD_HOURS_APART } from "@alcove/contract/limits";
import { ARRIVAL_HOURS } from "@alcove/contract/users";
import type { Selectable } from "kysely";
import { dayFrom, HOUR_MS, type TimeSpan } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import type { ProfilesTables } from "./tables.ts";

export const MIN_CARD_DAY_MS = CARD_HOURS_APART * HOUR_MS;

export type ChosenArrival = Pick<Selectable<ProfilesTables["profiles"]>, "arrival" | "arrival_zone">;

/** The last change of the hour left `card_day_start` and `card_day_end`: the day that ran then. */
export type CardDays = ChosenArrival &
  Pick<Selectable<ProfilesTables["profiles"]>, "card_day_start" | "card_day_end">;

export const UNCHOSEN: ChosenArrival = { arrival: null, arrival_zone: null };

/** The only definition of a free member's day. */
export function cardDay({ config, clock }: Pick<AppContext, "config" | "clock">, days: CardDays): TimeSpan {
  const now = clock.now();
  const { card_day_start: start, card_day_end: end } = days;
  return start && end && now < end ? { start, end } : regularDay(config, days, now);
}

export function chosenStart(ctx: Pick<AppContext, "config" | "clock">, days: CardDays): Date | null {
  const { start } = cardDay(ctx, days);
  return days.arrival === null || start.getTime() === days.card_day_start?.getTime() ? null : start;
}

/** Returns the day from `start` to the first chosen hour that is at least 20 hours after `since`. */
export function changedDay(
  { config }: Pick<AppContext, "config">,
  { start, since }: { start: Date; since: Date },
  chosen: ChosenArrival,
): TimeSpan {
  const earliest = new Date(since.getTime() + MIN_CARD_DAY_MS);
  const around = regularDay(config, chosen, earliest);
  return { start, end: around.start < earliest ? around.end : around.start };
}

function regularDay({ dayTimeZone }: AppContext["config"], chosen: ChosenArrival, at: Date): TimeSpan {
  return dayFrom(chosen.arrival_zone ?? dayTimeZone, ARRIVAL_HOURS[chosen.arrival ?? "midnight"], at);
}
