import { useSyncExternalStore } from "react";
import { isInThisTabAlone } from "./session.ts";

const MINUTE_MS = 60_000;

/** After how many minutes without use the session may end; 0 for never. */
export const IDLE_MINUTES = [0, 15, 60, 1_440] as const;
const SHARED_MINUTES = 15;

/** What a member has chosen for this device; it stays when the member logs out. */
interface Choices {
  readonly hidesWhenLeft: boolean;
  readonly idleMinutes: number;
}

const CHOICES = "discretion";
const DEFAULTS: Choices = { hidesWhenLeft: false, idleMinutes: 0 };
const listeners = new Set<() => void>();
let cached: { text: string | null; choices: Choices } = { text: null, choices: DEFAULTS };

export function discretion(): Choices {
  const text = localStorage.getItem(CHOICES);
  if (text !== cached.text)
    cached = { text, choices: { ...DEFAULTS, ...(JSON.parse(text ?? "{}") as Partial<Choices>) } };
  return cached.choices;
}

export function chooseDiscretion(change: Partial<Choices>): void {
  localStorage.setItem(CHOICES, JSON.stringify({ ...discretion(), ...change }));
  for (const listener of listeners) listener();
}

/** After how long without use the session ends; null for never. A shared computer has a limit of its own. */
export function idleLimitMs(): number | null {
  const { idleMinutes } = discretion();
  const minutes = isInThisTabAlone() ? Math.min(idleMinutes || SHARED_MINUTES, SHARED_MINUTES) : idleMinutes;
  return minutes === 0 ? null : minutes * MINUTE_MS;
}

/** Calls back when this tab or another one has chosen something else. */
export function subscribeToDiscretion(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", listener);
  };
}

export function useDiscretion(): Choices {
  return useSyncExternalStore(subscribeToDiscretion, discretion, () => DEFAULTS);
}
