import { DAY_MS, floorTo, HOUR_MS } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import { surroundingsOf } from "../../platform/security/client-network.ts";
import * as rows from "./bot-check.sql.ts";

export interface Work {
  readonly doublings: number;
  readonly rounds: { readonly min: number; readonly max: number };
}

const ROUNDS = { min: 100, max: 300 };
/** On average 21 times the least work. At a quarter of a server's speed, all rounds take 20 seconds. */
const MOST_ROUNDS = { min: 3_300, max: 5_200 };
const MOST_DOUBLINGS = 5;

/** Requests an hour. */
const FREE_PER_NETWORK = 6;
const FREE_PER_SURROUNDINGS = 12;
const SIGN_UPS_OF_NETWORK = {
  name: "sign_ups_of_network",
  max: FREE_PER_NETWORK + MOST_DOUBLINGS,
  windowMs: HOUR_MS,
};
const SIGN_UPS_OF_SURROUNDINGS = {
  name: "sign_ups_of_surroundings",
  max: FREE_PER_SURROUNDINGS + MOST_DOUBLINGS,
  windowMs: HOUR_MS,
};

const MIN_TOTAL = 100;
const TIMES_MEDIAN = 10;
export const USUAL_MS = 14 * DAY_MS;

export const roundsOf = (doublings: number): Work["rounds"] => ({
  min: ROUNDS.min * 2 ** doublings,
  max: ROUNDS.max * 2 ** doublings,
});

/** Requests count, so that challenges collected at once cost the same. The total leaves crowded networks out. */
export async function workOfSignUp(ctx: AppContext, network: string): Promise<Work> {
  if (!ctx.config.hasRateLimits) return { doublings: 0, rounds: ROUNDS };
  const surroundings = surroundingsOf(network);
  await ctx.rateLimits.record(SIGN_UPS_OF_NETWORK, network);
  await ctx.rateLimits.record(SIGN_UPS_OF_SURROUNDINGS, surroundings);
  const ofNetwork = await ctx.rateLimits.countHits(SIGN_UPS_OF_NETWORK, network);
  const around = await ctx.rateLimits.countHits(SIGN_UPS_OF_SURROUNDINGS, surroundings);
  const crowded = Math.max(0, ofNetwork - FREE_PER_NETWORK, around - FREE_PER_SURROUNDINGS);
  const doublings = Math.min(MOST_DOUBLINGS, crowded > 0 ? crowded : await doublingsOfTotal(ctx));
  return { doublings, rounds: doublings === MOST_DOUBLINGS ? MOST_ROUNDS : roundsOf(doublings) };
}

async function doublingsOfTotal(ctx: AppContext): Promise<number> {
  const hour = floorTo(ctx.clock.now(), HOUR_MS);
  const total = await rows.countSignUp(ctx.db, hour);
  if (total <= MIN_TOTAL) return 0;
  const usual = Math.max(MIN_TOTAL, TIMES_MEDIAN * (await readMedianHour(ctx, hour)));
  return Math.max(0, Math.ceil(Math.log2(total / usual)));
}

async function readMedianHour(ctx: AppContext, hour: Date): Promise<number> {
  const since = new Date(hour.getTime() - USUAL_MS);
  return rows.readMedianHour(ctx.db, { since, before: hour }, USUAL_MS / HOUR_MS);
}
