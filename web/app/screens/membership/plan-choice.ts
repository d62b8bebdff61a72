import type { Currency } from "@alcove/contract/prices";
import { parseStored, tabStore } from "../../device/stored.ts";
import type { Plan } from "./plan-text.ts";

export interface PlanChoice {
  readonly plan: Plan;
  /** Null for the likely currency of the language. */
  readonly currency: Currency | null;
  /** Null for that of the last order, or the likely one. */
  readonly country: string | null;
  readonly startsAtOnce: boolean;
  readonly isCouponOpened: boolean;
}

/** Survives a reload of the tab. The choice is void for another `membership`, such as after a purchase. */
export function rememberPlanChoice(membership: string, choice: PlanChoice): void {
  tabStore.set("plan", JSON.stringify({ membership, ...choice }));
}

export function rememberedPlanChoice(membership: string): PlanChoice | null {
  const stored = parseStored<PlanChoice & { membership: string }>(tabStore.get("plan"));
  return stored?.membership === membership ? stored : null;
}
