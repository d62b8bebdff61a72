import { KeychainAccess, SecureStorage } from "@aparajita/capacitor-secure-storage";
import type { Store, StoredKey } from "../stored.ts";

/** In the keychain or keystore: they let others act as the member, or guess the PIN. */
const SECRET_KEYS: readonly StoredKey[] = ["session", "renewal", "device", "farewells", "lock"];
const isSecret = (key: StoredKey) => SECRET_KEYS.includes(key);

/** Marks an installed app. iOS keeps the keychain of a removed app. */
const INSTALLED_KEY = "installed";

/** The app reads at once, so it keeps the secrets in memory. */
const secrets = new Map<StoredKey, string>();

/** Runs before the app. Without a readable keystore the member logs in again: a part of the secrets could lack the lock. */
export async function loadSecrets(): Promise<void> {
  try {
    await readSecrets();
  } catch {
    secrets.clear();
  }
}

async function readSecrets(): Promise<void> {
  await SecureStorage.setSynchronize(false);
  await SecureStorage.setDefaultKeychainAccess(KeychainAccess.whenUnlockedThisDeviceOnly);
  if (localStorage.getItem(INSTALLED_KEY) === null) {
    await SecureStorage.clear();
    localStorage.setItem(INSTALLED_KEY, "yes");
  }
  for (const key of SECRET_KEYS) {
    const text = await SecureStorage.getItem(key);
    if (text !== null) secrets.set(key, text);
  }
}

/** The device runs its writes in their order. */
export const persistentStore: Store = {
  get: (key) => (isSecret(key) ? (secrets.get(key) ?? null) : localStorage.getItem(key)),
  set(key, text) {
    if (!isSecret(key)) {
      localStorage.setItem(key, text);
      return;
    }
    secrets.set(key, text);
    void SecureStorage.setItem(key, text);
  },
  remove(...keys) {
    for (const key of keys) {
      if (isSecret(key) && secrets.delete(key)) void SecureStorage.removeItem(key);
      localStorage.removeItem(key);
    }
  },
  removeAllExcept(stored) {
    persistentStore.remove(...SECRET_KEYS.filter((key) => key !== stored));
    for (const key of Object.keys(localStorage))
      if (key !== stored && key !== INSTALLED_KEY) localStorage.removeItem(key);
  },
  isLossy: () => false,
};
