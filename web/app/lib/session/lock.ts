import { useSyncExternalStore } from "react";
import { sessionStore } from "./session.ts";

export interface LockDeps {
  /** All tabs share the stored lock. */
  read(): string | null;
  write(text: string | null): void;
  now(): number;
  setTimer(act: () => void, ms: number): () => void;
  newSalt(): string;
  /** A slow hash. */
  hash(pin: string, salt: string, rounds: number): Promise<string>;
  /** Runs one action at a time over all tabs. */
  exclusively<T>(act: () => Promise<T>): Promise<T>;
}

interface StoredLock {
  readonly salt: string;
  readonly hash: string;
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

/** `wait`: the PIN was not checked. `over`: no attempt is left. */
export type Attempt =
  | { outcome: "right" }
  | { outcome: "wrong"; left: number; waitMs: number }
  | { outcome: "wait"; waitMs: number }
  | { outcome: "over" };

const UNSET: LockState = { isSet: false, isLocked: false, afterMs: 0, pinLength: 0, hasBiometrics: false };

export const PIN = /^[0-9]{4,8}$/;
export const LOCK_AFTER_MINUTES = [0, 1, 5, 15] as const;
export const MAX_WRONG_PINS = 10;
const ROUNDS = 600_000;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const WAITS_MS = [
  0,
  0,
  0,
  5 * SECOND,
  15 * SECOND,
  30 * SECOND,
  MINUTE,
  2 * MINUTE,
  5 * MINUTE,
  15 * MINUTE,
] as const;

/**
 * The app lock of this device. A page starts locked, and locks when it was hidden for the chosen time. Only the right PIN
 * unlocks it: neither a reload nor a clock set back unlocks it or restores an attempt.
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

  start(): void {
    const stored = this.#read();
    if (stored) this.#setState(stored, true);
  }

  sync = (): void => {
    const stored = this.#read();
    const hasChanged = stored !== null && stored.version !== this.#version;
    this.#setState(stored, stored !== null && (hasChanged ? stored.isLocked : this.#state.isLocked));
  };

  /** Does nothing without a PIN. */
  lock = (): void => {
    const stored = this.#read();
    if (stored) this.#write({ ...stored, isLocked: true, version: stored.version + 1, hidden: null });
  };

  handleHidden(atLeastMs = 0): void {
    const stored = this.#read();
    if (!stored || this.#state.isLocked) return;
    const waitMs = Math.max(stored.afterMs, atLeastMs);
    if (waitMs === 0) {
      this.lock();
      return;
    }
    const from = this.#deps.now();
    this.#write({ ...stored, hidden: { from, until: from + waitMs } });
    this.#cancelTimer?.();
    this.#cancelTimer = this.#deps.setTimer(() => this.#lockIfExpired(), waitMs);
  }

  handleVisible(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#lockIfExpired();
    const stored = this.#read();
    if (stored?.hidden) this.#write({ ...stored, hidden: null });
  }

  async set(pin: string, afterMs: number): Promise<void> {
    const salt = this.#deps.newSalt();
    const hash = await this.#deps.hash(pin, salt, ROUNDS);
    const version = this.#version + 1;
    const fresh = { wrongPins: 0, lastWrongAt: 0, hidden: null, isLocked: false };
    this.#write({ salt, hash, rounds: ROUNDS, length: pin.length, afterMs, version, ...fresh });
  }

  setAfter(afterMs: number): void {
    const stored = this.#read();
    if (stored) this.#write({ ...stored, afterMs });
  }

  setBiometrics(isOn: boolean): void {
    const stored = this.#read();
    if (stored) this.#write({ ...stored, hasBiometrics: isOn });
  }

  /** After the device has recognized its owner. The last wrong PIN still ends the session. */
  unlockByBiometrics(): void {
    const stored = this.#read();
    if (stored?.hasBiometrics && !this.hasNoAttemptsLeft())
      this.#write({ ...unlocked(stored), wrongPins: 0 });
  }

  unlock(pin: string): Promise<Attempt> {
    return this.#attempt(pin, unlocked);
  }

  remove(pin: string): Promise<Attempt> {
    return this.#attempt(pin, () => null);
  }

  waitMs(): number {
    const stored = this.#read();
    if (!stored) return 0;
    const waitMs = WAITS_MS[stored.wrongPins] ?? 0;
    const elapsed = this.#deps.now() - stored.lastWrongAt;
    if (elapsed >= 0) return Math.max(0, waitMs - elapsed);
    this.#write({ ...stored, lastWrongAt: this.#deps.now() }); // the clock was set back: the wait restarts
    return waitMs;
  }

  hasNoAttemptsLeft(): boolean {
    return (this.#read()?.wrongPins ?? 0) >= MAX_WRONG_PINS;
  }

  /** The attempt counts before its PIN is checked, so that leaving the page does not restore it. */
  #attempt(pin: string, onRight: (stored: StoredLock) => StoredLock | null): Promise<Attempt> {
    return this.#deps.exclusively(async () => {
      const before = this.#read();
      if (!before) return { outcome: "right" };
      if (before.wrongPins >= MAX_WRONG_PINS) return { outcome: "over" };
      const mustWaitMs = this.waitMs();
      if (mustWaitMs > 0) return { outcome: "wait", waitMs: mustWaitMs };
      const wrongPins = before.wrongPins + 1;
      this.#write({ ...before, wrongPins, lastWrongAt: this.#deps.now() });

      const isRight = (await this.#deps.hash(pin, before.salt, before.rounds)) === before.hash;

      const stored = this.#read();
      if (!stored) return { outcome: "right" }; // logged out meanwhile
      if (isRight) {
        this.#write(onRight({ ...stored, wrongPins: 0 }));
        return { outcome: "right" };
      }
      if (wrongPins >= MAX_WRONG_PINS) return { outcome: "over" };
      return { outcome: "wrong", left: MAX_WRONG_PINS - wrongPins, waitMs: this.waitMs() };
    });
  }

  /** NOTE: with a clock set back, the elapsed time is unknown, so the app locks. */
  #lockIfExpired(): void {
    const hidden = this.#read()?.hidden;
    const now = this.#deps.now();
    if (hidden && (now >= hidden.until || now < hidden.from)) this.lock();
  }

  #read(): StoredLock | null {
    const text = this.#deps.read();
    return text === null ? null : (JSON.parse(text) as StoredLock);
  }

  #write(stored: StoredLock | null): void {
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

const unlocked = (stored: StoredLock): StoredLock => ({
  ...stored,
  isLocked: false,
  version: stored.version + 1,
  hidden: null,
});

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
const bytesFromBase64 = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0));

export const lock = new Lock({
  read: () => sessionStore().get("lock"),
  write: (text) => (text === null ? sessionStore().remove("lock") : sessionStore().set("lock", text)),
  now: () => Date.now(),
  setTimer(act, ms) {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  newSalt: () => base64(crypto.getRandomValues(new Uint8Array(16))),
  async hash(pin, salt, rounds) {
    const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(pin), "PBKDF2", false, [
      "deriveBits",
    ]);
    const algorithm = { name: "PBKDF2", hash: "SHA-256", salt: bytesFromBase64(salt), iterations: rounds };
    return base64(new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, 256)));
  },
  exclusively: async (act) => navigator.locks.request("lock", act),
});

export function useLock(): LockState {
  return useSyncExternalStore(lock.subscribe, lock.getState, () => UNSET);
}
