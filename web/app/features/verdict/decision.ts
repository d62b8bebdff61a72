import type { Verdict } from "@alcove/contract/discovery";
import { currentLoginId } from "../../lib/session/session.ts";

/** Where and how fast a swipe let the card go. */
export interface SwipeEnd {
  /** In pixels. */
  readonly offset: number;
  readonly turnDegrees: number;
  readonly durationMs: number;
}

interface Leaving {
  readonly kind: Verdict;
  readonly from: SwipeEnd | null;
  /** How far the page was scrolled, in pixels. */
  readonly lift: number;
}

/** How a card is moving. `like` and `pass` leave, the others arrive. */
export type CardMotion =
  | Leaving
  | { readonly kind: "next"; readonly delayMs: number | null }
  | { readonly kind: "back-like" | "back-pass" };

/** Starts at the top, so that the next card does; the leaving card stays where it was. */
export function leave(kind: Verdict, from: SwipeEnd | null): CardMotion {
  const lift = scrollY;
  scrollTo({ top: 0, behavior: "instant" });
  return { kind, from, lift };
}

export interface Decision {
  readonly kind: Verdict | "matched" | "undone";
  readonly name: string;
}

const CARRIED_MS = 10_000;
let carried: { decision: Decision; loginId: string | null; at: number } | null = null;

/** Carries a decision from a profile page to the home screen, which confirms it. */
export function carryDecision(decision: Decision): void {
  carried = { decision, loginId: currentLoginId(), at: Date.now() };
}

export function takeCarriedDecision(): Decision | null {
  const taken = carried;
  carried = null;
  const isValid = taken && taken.loginId === currentLoginId() && Date.now() - taken.at < CARRIED_MS;
  return isValid ? taken.decision : null;
}
