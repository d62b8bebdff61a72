import { useSyncExternalStore } from "react";
import { browserStore, parseStored } from "../../device/stored.ts";
import { isTabOnly } from "./session.ts";

const MINUTE_MS = 60_000;

export const IDLE_MINUTES = [0, 15, 60, 1_440] as const;
const TAB_ONLY_MINUTES = 15;

/** The settings of this device. They survive a logout. */
interface PrivacySettings {
  readonly hidesWhenLeft: boolean;
  readonly idleMinutes: number;
  /** Only in the native app. */
  readonly vibratesOnMatch: boolean;
  /** In the list of chats. */
  readonly showsTurnsFirst: boolean;
}

const DEFAULTS: PrivacySettings = {
  hidesWhenLeft: false,
  idleMinutes: 0,
  vibratesOnMatch: false,
  showsTurnsFirst: false,
};
const listeners = new Set<() => void>();
let cached: { text: string | null; settings: PrivacySettings } = { text: null, settings: DEFAULTS };

export function privacySettings(): PrivacySettings {
  const text = browserStore.get("discretion");
  if (text !== cached.text)
    cached = { text, settings: { ...DEFAULTS, ...parseStored<Partial<PrivacySettings>>(text) } };
  return cached.settings;
}

export function savePrivacySettings(change: Partial<PrivacySettings>): void {
  browserStore.set("discretion", JSON.stringify({ ...privacySettings(), ...change }));
  for (const listener of listeners) listener();
}

/** Null for no limit. A tab-only session has its own upper limit. */
export function idleLimitMs(): number | null {
  const { idleMinutes } = privacySettings();
  const minutes = isTabOnly() ? Math.min(idleMinutes || TAB_ONLY_MINUTES, TAB_ONLY_MINUTES) : idleMinutes;
  return minutes === 0 ? null : minutes * MINUTE_MS;
}

export function subscribeToPrivacySettings(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", listener);
  };
}

export function usePrivacySettings(): PrivacySettings {
  return useSyncExternalStore(subscribeToPrivacySettings, privacySettings, () => DEFAULTS);
}
