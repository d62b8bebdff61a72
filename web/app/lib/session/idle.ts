import { useSyncExternalStore } from "react";
import { endSession } from "./end-session.ts";
import { idleLimitMs } from "./privacy-settings.ts";
import { currentSession, sessionStore } from "./session.ts";

export interface IdleDeps {
  /** The last use in any tab; null if none is recorded. */
  readActiveAt(): number | null;
  writeActiveAt(at: number): void;
  limitMs(): number | null;
  now(): number;
  setTimer(act: () => void, ms: number): () => void;
  endSession(): void;
}

export const WARNING_MS = 60_000;
const RECORD_INTERVAL_MS = 2_000;
/** A clock correction up to this size does not end the session. */
const CLOCK_SLACK_MS = 60_000;

/** Ends an unused session. The time counts over all tabs and restarts. */
export class IdleTimer {
  readonly #deps: IdleDeps;
  readonly #listeners = new Set<() => void>();
  #isWarning = false;
  #cancelTimer: (() => void) | null = null;

  constructor(deps: IdleDeps) {
    this.#deps = deps;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  isWarning = (): boolean => this.#isWarning;

  /** After the warning only `stay` counts. */
  recordUse(): void {
    const lastUsedAt = this.#deps.readActiveAt();
    if (lastUsedAt !== null && Math.abs(this.#deps.now() - lastUsedAt) < RECORD_INTERVAL_MS) return;
    if (this.check() && !this.#isWarning) this.stay();
  }

  stay = (): void => {
    this.#deps.writeActiveAt(this.#deps.now());
    this.check();
  };

  /** Returns false if the session has ended. */
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
      this.#deps.endSession();
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

export const idle = new IdleTimer({
  readActiveAt() {
    const text = sessionStore().get("activeAt");
    return text === null ? null : Number(text);
  },
  writeActiveAt(at) {
    if (currentSession()) sessionStore().set("activeAt", String(at));
  },
  limitMs: () => (currentSession() ? idleLimitMs() : null),
  now: () => Date.now(),
  setTimer(act, ms) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  endSession: () => void endSession("unused"),
});

export function useIdleWarning(): boolean {
  return useSyncExternalStore(idle.subscribe, idle.isWarning, () => false);
}
