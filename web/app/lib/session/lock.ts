import { useSyncExternalStore } from "react";
import { parseStored } from "../../device/stored.ts";
import { sessionStore } from "./session.ts";

export interface LockDeps {
  /** All tabs share the stored lock. */
  read(): string | null;
  write(text: string | null): void;
  now(): number;
  setTimer(act: () => void, ms: number): () => void;
}

export interface StoredLock {
  readonly salt: string;
  readonly hash: string;
  /** Of the second PIN, with the same salt; random without one. */
  readonly secondHash: string;
  /** Can only end the session (`retireToken`). */
  readonly logoutToken: string;
  readonly rounds: number;
  /** The number of digits, after which the lock screen checks the PIN. */
  readonly length: number;
  /** How long the page may be hidden before it locks. */
  readonly afterMs: number;
  readonly wrongPins: number;
  readonly lastWrongAt: number;
  /** While all tabs are hidden: since when, and when the app locks. */
  readonly hidden: { readonly from: number; readonly until: number } | null;
  /** Rises when a tab locks or unlocks, so that the other tabs follow. */
  readonly version: number;
  readonly isLocked: boolean;
  /** Whether biometrics unlock too; only in the native app. */
  readonly hasBiometrics?: boolean;
}

export interface LockState {
  readonly isSet: boolean;
  readonly isLocked: boolean;
  readonly afterMs: number;
  readonly pinLength: number;
  readonly hasBiometrics: boolean;
}

const UNSET: LockState = { isSet: false, isLocked: false, afterMs: 0, pinLength: 0, hasBiometrics: false };

export const MAX_WRONG_PINS = 10;

/** Opens with no PIN, and ends the session at the next start. */
const DAMAGED: StoredLock = {
  salt: "",
  hash: "",
  secondHash: "",
  logoutToken: "",
  rounds: 1,
  length: 0,
  afterMs: 0,
  wrongPins: MAX_WRONG_PINS,
  lastWrongAt: 0,
  hidden: null,
  version: 0,
  isLocked: true,
};

/**
 * The app lock of this device. A page starts locked, and locks when it was hidden for the chosen time. Only the right PIN
 * (`pin-lock.ts`) unlocks it: neither a reload nor a clock set back unlocks it or restores an attempt.
 */
export class Lock {
  readonly #deps: LockDeps;
  readonly #listeners = new Set<() => void>();
  #state: LockState = UNSET;
  #version = 0;
  #cancelTimer: (() => void) | null = null;

  constructor(deps: LockDeps) {
    this.#deps = deps;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  getState = (): LockState => this.#state;

  /** Higher than those of earlier locks, so that other tabs see the change. */
  nextVersion(): number {
    return this.#version + 1;
  }

  start(): void {
    const stored = this.read();
    if (stored) this.#setState(stored, true);
  }

  sync = (): void => {
    const stored = this.read();
    const hasChanged = stored !== null && stored.version !== this.#version;
    this.#setState(stored, stored !== null && (hasChanged ? stored.isLocked : this.#state.isLocked));
  };

  /** Does nothing without a PIN. */
  lock = (): void => {
    const stored = this.read();
    if (stored) this.write({ ...stored, isLocked: true, version: stored.version + 1, hidden: null });
  };

  handleHidden(atLeastMs = 0): void {
    const stored = this.read();
    if (!stored || this.#state.isLocked) return;
    const waitMs = Math.max(stored.afterMs, atLeastMs);
    if (waitMs === 0) {
      this.lock();
      return;
    }
    const from = this.#deps.now();
    this.write({ ...stored, hidden: { from, until: from + waitMs } });
    this.#cancelTimer?.();
    this.#cancelTimer = this.#deps.setTimer(() => this.#lockIfExpired(), waitMs);
  }

  handleVisible(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#lockIfExpired();
    const stored = this.read();
    if (stored?.hidden) this.write({ ...stored, hidden: null });
  }

  hasNoAttemptsLeft(): boolean {
    return (this.read()?.wrongPins ?? 0) >= MAX_WRONG_PINS;
  }

  /** NOTE: with a clock set back, the elapsed time is unknown, so the app locks. */
  #lockIfExpired(): void {
    const hidden = this.read()?.hidden;
    const now = this.#deps.now();
    if (hidden && (now >= hidden.until || now < hidden.from)) this.lock();
  }

  read(): StoredLock | null {
    const text = this.#deps.read();
    return text === null ? null : (parseStored<StoredLock>(text) ?? DAMAGED);
  }

  write(stored: StoredLock | null): void {
    this.#deps.write(stored && JSON.stringify(stored));
    this.sync();
  }

  #setState(stored: StoredLock | null, isLocked: boolean): void {
    this.#version = stored?.version ?? this.#version;
    const before = this.#state;
    const { afterMs, length: pinLength, hasBiometrics = false } = stored ?? { afterMs: 0, length: 0 };
    const next = { isSet: stored !== null, isLocked, afterMs, pinLength, hasBiometrics };
    if (Object.entries(next).every(([name, value]) => before[name as keyof LockState] === value)) return;
    this.#state = next;
    for (const listener of this.#listeners) listener();
  }
}

export const lock = new Lock({
  read: () => sessionStore().get("lock"),
  write: (text) => (text === null ? sessionStore().remove("lock") : sessionStore().set("lock", text)),
  now: () => Date.now(),
  setTimer(act, ms) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
});

export function useLock(): LockState {
  return useSyncExternalStore(lock.subscribe, lock.getState, () => UNSET);
}
