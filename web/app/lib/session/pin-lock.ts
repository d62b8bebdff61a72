import { exclusively } from "../../device/exclusively.ts";
import { lock, MAX_WRONG_PINS, type Lock, type StoredLock } from "./lock.ts";

export interface PinLockDeps {
  now(): number;
  /** In base64. */
  random(bytes: number): string;
  /** A slow hash of 32 bytes, in base64. */
  hash(pin: string, salt: string, rounds: number): Promise<string>;
  /** Runs one action at a time over all tabs. */
  exclusively<T>(act: () => Promise<T>): Promise<T>;
}

/** `second`: the second PIN was entered (`duress.ts`). `wait`: the PIN was not checked. `over`: no attempt is left. */
export type Attempt =
  | { outcome: "right" }
  | { outcome: "second"; logoutToken: string }
  | { outcome: "wrong"; left: number; waitMs: number }
  | { outcome: "wait"; waitMs: number }
  | { outcome: "over" };

export const PIN = /^[0-9]{4,8}$/;
export const LOCK_AFTER_MINUTES = [0, 1, 5, 15] as const;
const ROUNDS = 600_000;
const HASH_BYTES = 32;
const SALT_BYTES = 16;
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

/** The PIN of the app lock. The lock screen and its settings load it. */
export class PinLock {
  readonly #lock: Lock;
  readonly #deps: PinLockDeps;

  constructor(ofDevice: Lock, deps: PinLockDeps) {
    this.#lock = ofDevice;
    this.#deps = deps;
  }

  /** `second` has as many digits as `pin`, or is empty. Stores two hashes in either case. */
  async set(pin: string, afterMs: number, { second = "", logoutToken = "" } = {}): Promise<void> {
    const salt = this.#deps.random(SALT_BYTES);
    const hash = await this.#deps.hash(pin, salt, ROUNDS);
    const secondHash =
      second === "" ? this.#deps.random(HASH_BYTES) : await this.#deps.hash(second, salt, ROUNDS);
    const version = this.#lock.nextVersion();
    const fresh = { wrongPins: 0, lastWrongAt: 0, hidden: null, isLocked: false };
    const verifiers = { salt, hash, secondHash, logoutToken, rounds: ROUNDS };
    this.#lock.write({ ...verifiers, length: pin.length, afterMs, version, ...fresh });
  }

  setAfter(afterMs: number): void {
    const stored = this.#lock.read();
    if (stored) this.#lock.write({ ...stored, afterMs });
  }

  setBiometrics(isOn: boolean): void {
    const stored = this.#lock.read();
    if (stored) this.#lock.write({ ...stored, hasBiometrics: isOn });
  }

  /** After the device has recognized its owner. The last wrong PIN still ends the session. */
  unlockByBiometrics(): void {
    const stored = this.#lock.read();
    if (stored?.hasBiometrics && !this.#lock.hasNoAttemptsLeft())
      this.#lock.write({ ...unlocked(stored), wrongPins: 0 });
  }

  unlock(pin: string): Promise<Attempt> {
    return this.#attempt(pin, unlocked);
  }

  remove(pin: string): Promise<Attempt> {
    return this.#attempt(pin, () => null);
  }

  waitMs(): number {
    const stored = this.#lock.read();
    if (!stored) return 0;
    const waitMs = WAITS_MS[stored.wrongPins] ?? 0;
    const elapsed = this.#deps.now() - stored.lastWrongAt;
    if (elapsed >= 0) return Math.max(0, waitMs - elapsed);
    this.#lock.write({ ...stored, lastWrongAt: this.#deps.now() }); // the clock was set back: the wait restarts
    return waitMs;
  }

  /** The attempt counts before its PIN is checked, so that leaving the page does not restore it. */
  #attempt(pin: string, onRight: (stored: StoredLock) => StoredLock | null): Promise<Attempt> {
    return this.#deps.exclusively(async () => {
      const before = this.#lock.read();
      if (!before) return { outcome: "right" };
      if (before.wrongPins >= MAX_WRONG_PINS) return { outcome: "over" };
      const mustWaitMs = this.waitMs();
      if (mustWaitMs > 0) return { outcome: "wait", waitMs: mustWaitMs };
      const wrongPins = before.wrongPins + 1;
      this.#lock.write({ ...before, wrongPins, lastWrongAt: this.#deps.now() });

      const hash = await this.#deps.hash(pin, before.salt, before.rounds);

      const stored = this.#lock.read();
      if (!stored) return { outcome: "right" }; // logged out meanwhile
      if (hash === before.secondHash) return { outcome: "second", logoutToken: before.logoutToken };
      if (hash === before.hash) {
        this.#lock.write(onRight({ ...stored, wrongPins: 0 }));
        return { outcome: "right" };
      }
      if (wrongPins >= MAX_WRONG_PINS) return { outcome: "over" };
      return { outcome: "wrong", left: MAX_WRONG_PINS - wrongPins, waitMs: this.waitMs() };
    });
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

export const pinLock = new PinLock(lock, {
  now: () => Date.now(),
  random: (bytes) => base64(crypto.getRandomValues(new Uint8Array(bytes))),
  async hash(pin, salt, rounds) {
    const key = await crypto.subtle.importKey("raw", new TextEncoder().encode(pin), "PBKDF2", false, [
      "deriveBits",
    ]);
    const algorithm = { name: "PBKDF2", hash: "SHA-256", salt: bytesFromBase64(salt), iterations: rounds };
    return base64(new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, HASH_BYTES * 8)));
  },
  exclusively: async (act) => exclusively("lock", act),
});
