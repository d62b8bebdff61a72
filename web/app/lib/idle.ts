import { useSyncExternalStore } from "react";
import { endSession } from "./api.ts";
import { idleLimitMs } from "./privacy-settings.ts";
import { currentSession, sessionStore } from "./session.ts";

/** What counting the time without use needs of the world, so that tests can stand in for it. */
export interface IdleWorld {
  /** When the app was last used on this device, in any tab; null if nobody has noted it yet. */
  readActiveAt(): number | null;
  writeActiveAt(at: number): void;
  /** After how long without use the session ends; null for never, or while nobody is logged in. */
  limitMs(): number | null;
  now(): number;
  setTimer(act: () => void, ms: number): () => void;
  /** The time is over: ends the session. */
  end(): void;
}

export const WARNING_MS = 60_000;
/** Use is noted this often at most. */
const NOTED_EACH_MS = 2_000;
/** How far the clock may go back by being put right. */
const CLOCK_SLACK_MS = 60_000;

/** Ends the session of a device that nobody has used for the chosen time, counted over all tabs and restarts. */
export class Idle {
  readonly #world: IdleWorld;
  readonly #listeners = new Set<() => void>();
  #isWarning = false;
  #cancelTimer: (() => void) | null = null;

  constructor(world: IdleWorld) {
    this.#world = world;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Whether the session ends within a minute unless somebody says otherwise. */
  isWarning = (): boolean => this.#isWarning;

  /** Somebody uses the app. What comes too late changes nothing; during the warning only `stay` does. */
  use(): void {
    const at = this.#world.readActiveAt();
    if (at !== null && Math.abs(this.#world.now() - at) < NOTED_EACH_MS) return;
    if (this.check() && !this.#isWarning) this.stay();
  }

  /** Begins the time anew, at a login or when the member answers the warning. */
  stay = (): void => {
    this.#world.writeActiveAt(this.#world.now());
    this.check();
  };

  /** Looks at the time: when the page begins, when it is looked at, and when the time or the limit may be another. */
  check = (): boolean => {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    const limitMs = this.#world.limitMs();
    if (limitMs === null) {
      this.#warn(false);
      return true;
    }
    const now = this.#world.now();
    const at = this.#world.readActiveAt();
    if (at === null) this.#world.writeActiveAt(now);
    const unusedMs = at === null ? 0 : now - at;
    if (unusedMs >= limitMs || unusedMs < -CLOCK_SLACK_MS) {
      this.#warn(false);
      this.#world.end();
      return false;
    }
    const leftMs = limitMs - unusedMs;
    const isNear = leftMs <= WARNING_MS;
    this.#warn(isNear);
    this.#cancelTimer = this.#world.setTimer(this.check, isNear ? leftMs : leftMs - WARNING_MS);
    return true;
  };

  #warn(isWarning: boolean): void {
    if (this.#isWarning === isWarning) return;
    this.#isWarning = isWarning;
    for (const listener of this.#listeners) listener();
  }
}

const ITEM = "activeAt";

/** The time without use of this browser. */
export const idle = new Idle({
  readActiveAt() {
    const text = sessionStore().getItem(ITEM);
    return text === null ? null : Number(text);
  },
  writeActiveAt(at) {
    if (currentSession()) sessionStore().setItem(ITEM, String(at));
  },
  limitMs: () => (currentSession() ? idleLimitMs() : null),
  now: () => Date.now(),
  setTimer(act, ms) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  end: () => void endSession("unused"),
});

/** Whether the member should be asked to stay. */
export function useIdleWarning(): boolean {
  return useSyncExternalStore(idle.subscribe, idle.isWarning, () => false);
}
