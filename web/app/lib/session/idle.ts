import { useSyncExternalStore } from "react";
import { endSession } from "./end-session.ts";
import { idleLimitMs } from "./privacy-settings.ts";
import { currentSession, sessionStore } from "./session.ts";

/** What counting the time without use needs of the world, so that tests can stand in for it. */
export interface IdleDeps {
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
const RECORD_INTERVAL_MS = 2_000;
/** How far the clock may go back by being put right. */
const CLOCK_SLACK_MS = 60_000;

/** Ends the session of a device that nobody has used for the chosen time, counted over all tabs and restarts. */
export class IdleTimer {
  readonly #deps: IdleDeps;
  readonly #listeners = new Set<() => void>();
  #isWarning = false;
  #cancelTimer: (() => void) | null = null;

  constructor(world: IdleDeps) {
    this.#deps = world;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  /** Whether the session ends within a minute unless somebody says otherwise. */
  isWarning = (): boolean => this.#isWarning;

  /** Somebody uses the app. What comes too late changes nothing; during the warning only `stay` does. */
  recordUse(): void {
    const lastUsedAt = this.#deps.readActiveAt();
    if (lastUsedAt !== null && Math.abs(this.#deps.now() - lastUsedAt) < RECORD_INTERVAL_MS) return;
    if (this.check() && !this.#isWarning) this.stay();
  }

  /** Begins the time anew, at a login or when the member answers the warning. */
  stay = (): void => {
    this.#deps.writeActiveAt(this.#deps.now());
    this.check();
  };

  /** Looks at the time: when the page begins, when it is looked at, and when the time or the limit may be another. */
  check = (): boolean => {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    const limitMs = this.#deps.limitMs();
    if (limitMs === null) {
      this.#setWarning(false);
      return true;
    }
    const now = this.#deps.now();
    const at = this.#deps.readActiveAt();
    if (at === null) this.#deps.writeActiveAt(now);
    const unusedMs = at === null ? 0 : now - at;
    if (unusedMs >= limitMs || unusedMs < -CLOCK_SLACK_MS) {
      this.#setWarning(false);
      this.#deps.end();
      return false;
    }
    const leftMs = limitMs - unusedMs;
    const isNear = leftMs <= WARNING_MS;
    this.#setWarning(isNear);
    this.#cancelTimer = this.#deps.setTimer(this.check, isNear ? leftMs : leftMs - WARNING_MS);
    return true;
  };

  #setWarning(isWarning: boolean): void {
    if (this.#isWarning === isWarning) return;
    this.#isWarning = isWarning;
    for (const listener of this.#listeners) listener();
  }
}

const ACTIVE_AT_KEY = "activeAt";

/** The time without use of this browser. */
export const idle = new IdleTimer({
  readActiveAt() {
    const text = sessionStore().getItem(ACTIVE_AT_KEY);
    return text === null ? null : Number(text);
  },
  writeActiveAt(at) {
    if (currentSession()) sessionStore().setItem(ACTIVE_AT_KEY, String(at));
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
