export const SECRETS_FILE = "secrets.json";
export const KEYS_FILE = "encryption-keys.json";
export const PUSH_KEYS_FILE = "vapid.json";
export const SECRET_FILES = [SECRETS_FILE, KEYS_FILE, PUSH_KEYS_FILE] as const;
