import { useSyncExternalStore } from "react";
import { sessionStore } from "./session.ts";

/** What the lock needs of the world, so that tests can stand in for it. */
export interface LockDeps {
  /** What is kept of the lock on this device, in all tabs alike; null for nothing. */
  read(): string | null;
  write(text: string | null): void;
  now(): number;
  setTimer(act: () => void, ms: number): () => void;
  newSalt(): string;
  /** A slow hash of a PIN. */
  hash(pin: string, salt: string, rounds: number): Promise<string>;
  /** Does one thing at a time, over all tabs. */
  exclusively<T>(act: () => Promise<T>): Promise<T>;
}

/** What is kept on the device. */
interface StoredLock {
  readonly salt: string;
  readonly hash: string;
  readonly rounds: number;
  /** How long the page may be out of sight before it locks. */
  readonly afterMs: number;
  readonly wrongPins: number;
  readonly lastWrongAt: number;
  /** Since when no tab is looked at, and until when that leaves it open. */
  readonly away: { readonly from: number; readonly until: number } | null;
  /** Counts what tabs tell each other: that one of them has locked, or unlocked. */
  readonly version: number;
  readonly isLocked: boolean;
}

export interface LockState {
  readonly isSet: boolean;
  readonly isLocked: boolean;
  readonly afterMs: number;
}

/** What became of a PIN: `wait` did not look at it, `over` was the last one. */
export type Attempt =
  | { outcome: "right" }
  | { outcome: "wrong"; left: number; waitMs: number }
  | { outcome: "wait"; waitMs: number }
  | { outcome: "over" };

const UNSET: LockState = { isSet: false, isLocked: false, afterMs: 0 };

export const PIN = /^[0-9]{4,8}$/;
/** How long the page may be out of sight before it locks. */
export const LOCK_AFTER_MINUTES = [0, 1, 5, 15] as const;
export const MAX_WRONG_PINS = 10;
/** How often SHA-256 is repeated: what OWASP asks of PBKDF2. */
const ROUNDS = 600_000;
const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** How long to wait after so many wrong PINs. */
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
 * The lock of the app on this device. A page starts locked, locks by hand and when it was out of sight for the chosen
 * time, and opens for the right PIN alone: neither a clock that is set back nor a reload opens it or gives a try back.
 */
export class Lock {
  readonly #deps: LockDeps;
  readonly #listeners = new Set<() => void>();
  #state: LockState = UNSET;
  #version = 0;
  #cancelTimer: (() => void) | null = null;

  constructor(world: LockDeps) {
    this.#deps = world;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  getState = (): LockState => this.#state;

  /** Locks a page that begins, before anything else happens on it. */
  start(): void {
    const kept = this.#read();
    if (kept) this.#setState(kept, true);
  }

  /** Takes over what another tab has done, or that the session is over. */
  sync = (): void => {
    const kept = this.#read();
    const isNews = kept !== null && kept.version !== this.#version;
    this.#setState(kept, kept !== null && (isNews ? kept.isLocked : this.#state.isLocked));
  };

  /** Locks at once, in all tabs. Without a PIN there is no lock. */
  lock = (): void => {
    const kept = this.#read();
    if (kept) this.#write({ ...kept, isLocked: true, version: kept.version + 1, away: null });
  };

  /** The page is out of sight: it locks after the chosen time, or after `atLeastMs`. */
  handleHidden(atLeastMs = 0): void {
    const kept = this.#read();
    if (!kept || this.#state.isLocked) return;
    const waitMs = Math.max(kept.afterMs, atLeastMs);
    if (waitMs === 0) {
      this.lock();
      return;
    }
    const from = this.#deps.now();
    this.#write({ ...kept, away: { from, until: from + waitMs } });
    this.#cancelTimer?.();
    this.#cancelTimer = this.#deps.setTimer(() => this.#lockIfExpired(), waitMs);
  }

  /** Somebody looks at the page, or uses it: locks it if that comes too late. */
  handleVisible(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#lockIfExpired();
    const kept = this.#read();
    if (kept?.away) this.#write({ ...kept, away: null });
  }

  /** Sets a PIN. */
  async set(pin: string, afterMs: number): Promise<void> {
    const salt = this.#deps.newSalt();
    const hash = await this.#deps.hash(pin, salt, ROUNDS);
    const turn = this.#version + 1;
    const fresh = { wrongPins: 0, lastWrongAt: 0, away: null, isLocked: false };
    this.#write({ salt, hash, rounds: ROUNDS, afterMs, version: turn, ...fresh });
  }

  setAfter(afterMs: number): void {
    const kept = this.#read();
    if (kept) this.#write({ ...kept, afterMs });
  }

  /** Opens the lock in all tabs, for the right PIN. */
  unlock(pin: string): Promise<Attempt> {
    return this.#attempt(pin, (kept) => ({
      ...kept,
      isLocked: false,
      version: kept.version + 1,
      away: null,
    }));
  }

  /** Takes the lock away, for the right PIN. */
  remove(pin: string): Promise<Attempt> {
    return this.#attempt(pin, () => null);
  }

  /** How long no PIN is looked at. */
  waitMs(): number {
    const kept = this.#read();
    if (!kept) return 0;
    const waitMs = WAITS_MS[kept.wrongPins] ?? 0;
    const elapsed = this.#deps.now() - kept.lastWrongAt;
    if (elapsed >= 0) return Math.max(0, waitMs - elapsed);
    this.#write({ ...kept, lastWrongAt: this.#deps.now() }); // the clock was set back: the wait begins anew
    return waitMs;
  }

  /** Whether every try is used up, so that only a login helps. */
  hasNoAttemptsLeft(): boolean {
    return (this.#read()?.wrongPins ?? 0) >= MAX_WRONG_PINS;
  }

  /** A try is counted before its PIN is looked at, so that leaving the page in between does not give it back. */
  #attempt(pin: string, whenRight: (kept: StoredLock) => StoredLock | null): Promise<Attempt> {
    return this.#deps.exclusively(async () => {
      const before = this.#read();
      if (!before) return { outcome: "right" };
      if (before.wrongPins >= MAX_WRONG_PINS) return { outcome: "over" };
      const mustWaitMs = this.waitMs();
      if (mustWaitMs > 0) return { outcome: "wait", waitMs: mustWaitMs };
      const wrongPins = before.wrongPins + 1;
      this.#write({ ...before, wrongPins, lastWrongAt: this.#deps.now() });

      const isRight = (await this.#deps.hash(pin, before.salt, before.rounds)) === before.hash;

      const kept = this.#read();
      if (!kept) return { outcome: "right" }; // logged out meanwhile: there is nothing left to lock
      if (isRight) {
        this.#write(whenRight({ ...kept, wrongPins: 0 }));
        return { outcome: "right" };
      }
      if (wrongPins >= MAX_WRONG_PINS) return { outcome: "over" };
      return { outcome: "wrong", left: MAX_WRONG_PINS - wrongPins, waitMs: this.waitMs() };
    });
  }

  /** NOTE: a clock that was set back shows no time at all, and so counts as too long. */
  #lockIfExpired(): void {
    const away = this.#read()?.away;
    const now = this.#deps.now();
    if (away && (now >= away.until || now < away.from)) this.lock();
  }

  #read(): StoredLock | null {
    const text = this.#deps.read();
    return text === null ? null : (JSON.parse(text) as StoredLock);
  }

  #write(kept: StoredLock | null): void {
    this.#deps.write(kept && JSON.stringify(kept));
    this.sync();
  }

  #setState(kept: StoredLock | null, isLocked: boolean): void {
    this.#version = kept?.version ?? this.#version;
    const { afterMs, ...before } = this.#state;
    const next = { isSet: kept !== null, isLocked, afterMs: kept?.afterMs ?? 0 };
    if (next.isSet === before.isSet && next.isLocked === before.isLocked && next.afterMs === afterMs) return;
    this.#state = next;
    for (const listener of this.#listeners) listener();
  }
}

const LOCK_KEY = "lock";
const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
const bytesFromBase64 = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** The lock of this browser. */
export const lock = new Lock({
  read: () => sessionStore().getItem(LOCK_KEY),
  write: (text) =>
    text === null ? sessionStore().removeItem(LOCK_KEY) : sessionStore().setItem(LOCK_KEY, text),
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
    const how = { name: "PBKDF2", hash: "SHA-256", salt: bytesFromBase64(salt), iterations: rounds };
    return base64(new Uint8Array(await crypto.subtle.deriveBits(how, key, 256)));
  },
  exclusively: async (act) => navigator.locks.request(LOCK_KEY, act),
});

export function useLock(): LockState {
  return useSyncExternalStore(lock.subscribe, lock.getState, () => UNSET);
}
