import { useSyncExternalStore } from "react";
import { sessionStore } from "./session.ts";

/** What the lock needs of the world, so that tests can stand in for it. */
export interface LockWorld {
  /** What is kept of the lock on this device, in all tabs alike; null for nothing. */
  read(): string | null;
  write(text: string | null): void;
  now(): number;
  setTimer(act: () => void, ms: number): () => void;
  newSalt(): string;
  /** A slow hash of a PIN. */
  hash(pin: string, salt: string, rounds: number): Promise<string>;
  /** Does one thing at a time, over all tabs. */
  alone<T>(act: () => Promise<T>): Promise<T>;
}

/** What is kept on the device. */
interface Kept {
  readonly salt: string;
  readonly hash: string;
  readonly rounds: number;
  /** How long the page may be out of sight before it locks. */
  readonly afterMs: number;
  readonly misses: number;
  readonly missedAt: number;
  /** Since when no tab is looked at, and until when that leaves it open. */
  readonly away: { readonly from: number; readonly until: number } | null;
  /** Counts what tabs tell each other: that one of them has locked, or unlocked. */
  readonly turn: number;
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
export const MOST_MISSES = 10;
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
  readonly #world: LockWorld;
  readonly #listeners = new Set<() => void>();
  #state: LockState = UNSET;
  #turn = 0;
  #cancelTimer: (() => void) | null = null;

  constructor(world: LockWorld) {
    this.#world = world;
  }

  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  getState = (): LockState => this.#state;

  /** Locks a page that begins, before anything else happens on it. */
  start(): void {
    const kept = this.#kept();
    if (kept) this.#show(kept, true);
  }

  /** Takes over what another tab has done, or that the session is over. */
  hear = (): void => {
    const kept = this.#kept();
    const isNews = kept !== null && kept.turn !== this.#turn;
    this.#show(kept, kept !== null && (isNews ? kept.isLocked : this.#state.isLocked));
  };

  /** Locks at once, in all tabs. Without a PIN there is no lock. */
  lock = (): void => {
    const kept = this.#kept();
    if (kept) this.#keep({ ...kept, isLocked: true, turn: kept.turn + 1, away: null });
  };

  /** The page is out of sight: it locks after the chosen time, or after `atLeastMs`. */
  leave(atLeastMs = 0): void {
    const kept = this.#kept();
    if (!kept || this.#state.isLocked) return;
    const waitMs = Math.max(kept.afterMs, atLeastMs);
    if (waitMs === 0) {
      this.lock();
      return;
    }
    const from = this.#world.now();
    this.#keep({ ...kept, away: { from, until: from + waitMs } });
    this.#cancelTimer?.();
    this.#cancelTimer = this.#world.setTimer(() => this.#lockIfTooLong(), waitMs);
  }

  /** Somebody looks at the page, or uses it: locks it if that comes too late. */
  comeBack(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    this.#lockIfTooLong();
    const kept = this.#kept();
    if (kept?.away) this.#keep({ ...kept, away: null });
  }

  /** Sets a PIN. */
  async set(pin: string, afterMs: number): Promise<void> {
    const salt = this.#world.newSalt();
    const hash = await this.#world.hash(pin, salt, ROUNDS);
    const turn = this.#turn + 1;
    const fresh = { misses: 0, missedAt: 0, away: null, isLocked: false };
    this.#keep({ salt, hash, rounds: ROUNDS, afterMs, turn, ...fresh });
  }

  setAfter(afterMs: number): void {
    const kept = this.#kept();
    if (kept) this.#keep({ ...kept, afterMs });
  }

  /** Opens the lock in all tabs, for the right PIN. */
  open(pin: string): Promise<Attempt> {
    return this.#try(pin, (kept) => ({ ...kept, isLocked: false, turn: kept.turn + 1, away: null }));
  }

  /** Takes the lock away, for the right PIN. */
  remove(pin: string): Promise<Attempt> {
    return this.#try(pin, () => null);
  }

  /** How long no PIN is looked at. */
  waitMs(): number {
    const kept = this.#kept();
    if (!kept) return 0;
    const waitMs = WAITS_MS[kept.misses] ?? 0;
    const elapsed = this.#world.now() - kept.missedAt;
    if (elapsed >= 0) return Math.max(0, waitMs - elapsed);
    this.#keep({ ...kept, missedAt: this.#world.now() }); // the clock was set back: the wait begins anew
    return waitMs;
  }

  /** Whether every try is used up, so that only a login helps. */
  isUsedUp(): boolean {
    return (this.#kept()?.misses ?? 0) >= MOST_MISSES;
  }

  /** A try is counted before its PIN is looked at, so that leaving the page in between does not give it back. */
  #try(pin: string, whenRight: (kept: Kept) => Kept | null): Promise<Attempt> {
    return this.#world.alone(async () => {
      const before = this.#kept();
      if (!before) return { outcome: "right" };
      if (before.misses >= MOST_MISSES) return { outcome: "over" };
      const mustWaitMs = this.waitMs();
      if (mustWaitMs > 0) return { outcome: "wait", waitMs: mustWaitMs };
      const misses = before.misses + 1;
      this.#keep({ ...before, misses, missedAt: this.#world.now() });

      const isRight = (await this.#world.hash(pin, before.salt, before.rounds)) === before.hash;

      const kept = this.#kept();
      if (!kept) return { outcome: "right" }; // logged out meanwhile: there is nothing left to lock
      if (isRight) {
        this.#keep(whenRight({ ...kept, misses: 0 }));
        return { outcome: "right" };
      }
      if (misses >= MOST_MISSES) return { outcome: "over" };
      return { outcome: "wrong", left: MOST_MISSES - misses, waitMs: this.waitMs() };
    });
  }

  /** NOTE: a clock that was set back shows no time at all, and so counts as too long. */
  #lockIfTooLong(): void {
    const away = this.#kept()?.away;
    const now = this.#world.now();
    if (away && (now >= away.until || now < away.from)) this.lock();
  }

  #kept(): Kept | null {
    const text = this.#world.read();
    return text === null ? null : (JSON.parse(text) as Kept);
  }

  #keep(kept: Kept | null): void {
    this.#world.write(kept && JSON.stringify(kept));
    this.hear();
  }

  #show(kept: Kept | null, isLocked: boolean): void {
    this.#turn = kept?.turn ?? this.#turn;
    const { afterMs, ...before } = this.#state;
    const next = { isSet: kept !== null, isLocked, afterMs: kept?.afterMs ?? 0 };
    if (next.isSet === before.isSet && next.isLocked === before.isLocked && next.afterMs === afterMs) return;
    this.#state = next;
    for (const listener of this.#listeners) listener();
  }
}

const ITEM = "lock";
const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));
const bytesOf = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** The lock of this browser. */
export const lock = new Lock({
  read: () => sessionStore().getItem(ITEM),
  write: (text) => (text === null ? sessionStore().removeItem(ITEM) : sessionStore().setItem(ITEM, text)),
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
    const how = { name: "PBKDF2", hash: "SHA-256", salt: bytesOf(salt), iterations: rounds };
    return base64(new Uint8Array(await crypto.subtle.deriveBits(how, key, 256)));
  },
  alone: async (act) => navigator.locks.request(ITEM, act),
});

export function useLock(): LockState {
  return useSyncExternalStore(lock.subscribe, lock.getState, () => UNSET);
}
