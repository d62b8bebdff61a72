import { createECDH, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as z from "zod/mini";
import { ConfigError, type Config } from "../../config.ts";
import type { EncryptionKey } from "../config-reader.ts";
import { createPrivateFile, replacePrivateFile } from "../lib/private-file.ts";
import { createPrivateFolder } from "../lib/private-folder.ts";
import { KEYS_FILE, PUSH_KEYS_FILE, SECRETS_FILE } from "./secret-files.ts";

export interface Secrets {
  readonly token: string;
  readonly media: string;
  readonly pepper: string;
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly vapid: z.infer<typeof PushKeys>;
}

type Folders = Pick<Config, "dataDir" | "secretsDir">;

const Text = z.string().check(z.minLength(16));
const StoredSecrets = z.object({ token: Text, media: Text, pepper: Text });
const PushKeys = z.object({ publicKey: Text, privateKey: Text });
const StoredKeys = z
  .array(
    z.object({
      id: z.string().check(z.regex(/^[A-Za-z0-9_-]{1,32}$/)),
      key: z.string().check(z.regex(/^[A-Za-z0-9+/]{43}=$/)),
    }),
  )
  .check(
    z.minLength(1),
    z.refine((keys) => new Set(keys.map(({ id }) => id)).size === keys.length),
  );

/** Generates missing secrets. `SECRETS_DIR` and the database together reveal everything. */
export async function readSecrets(config: Config): Promise<Secrets> {
  const { tokenSecret, mediaSecret, passwordPepper } = config;
  const isComplete = tokenSecret && mediaSecret && passwordPepper;
  if (!isComplete) await generateOnce(config, SECRETS_FILE, generateSecrets);
  if (!config.encryptionKeys) await generateOnce(config, KEYS_FILE, generateKeys);
  if (!config.vapid) await generateOnce(config, PUSH_KEYS_FILE, generatePushKeys);

  const stored = isComplete ? null : await readStored(config, SECRETS_FILE, StoredSecrets);
  return {
    token: tokenSecret ?? stored!.token,
    media: mediaSecret ?? stored!.media,
    pepper: passwordPepper ?? stored!.pepper,
    encryptionKeys: await readEncryptionKeys(config),
    vapid: config.vapid ?? (await readStored(config, PUSH_KEYS_FILE, PushKeys)),
  };
}

/** Another process may have replaced the keys. The first one encrypts. */
export async function readEncryptionKeys(config: Config): Promise<readonly EncryptionKey[]> {
  if (config.encryptionKeys) return config.encryptionKeys;
  const stored = await readStored(config, KEYS_FILE, StoredKeys);
  return stored.map(({ id, key }) => ({ id, key: Buffer.from(key, "base64") }));
}

export function placeOfEncryptionKeys(config: Config): string {
  if (config.encryptionKeys) return "SEALING_KEYS";
  return `${settingOf(config)}: ${join(config.secretsDir, KEYS_FILE)}`;
}

/** Only one process at a time may call it. */
export async function replaceEncryptionKeys(folders: Folders, keys: readonly EncryptionKey[]): Promise<void> {
  await inFolder(folders, () =>
    replacePrivateFile(join(folders.secretsDir, KEYS_FILE), textOf(storable(keys))),
  );
}

function generateSecrets(): z.infer<typeof StoredSecrets> {
  const fresh = () => randomBytes(32).toString("base64");
  return { token: fresh(), media: fresh(), pepper: fresh() };
}

function generateKeys(): z.infer<typeof StoredKeys> {
  return storable([{ id: "k1", key: randomBytes(32) }]);
}

function storable(keys: readonly EncryptionKey[]): z.infer<typeof StoredKeys> {
  return keys.map(({ id, key }) => ({ id, key: key.toString("base64") }));
}

function generatePushKeys(): z.infer<typeof PushKeys> {
  const pair = createECDH("prime256v1");
  const publicKey = pair.generateKeys("base64url");
  const privateKey = pair.getPrivateKey("hex").padStart(64, "0");
  return { publicKey, privateKey: Buffer.from(privateKey, "hex").toString("base64url") };
}

function textOf(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

async function generateOnce(folders: Folders, name: string, generateValue: () => object): Promise<void> {
  const path = join(folders.secretsDir, name);
  if (existsSync(path)) return;
  await inFolder(folders, async () => {
    await createPrivateFolder(folders.secretsDir);
    await createPrivateFile(path, textOf(generateValue()));
  });
}

async function readStored<Schema extends z.ZodMiniType>(
  folders: Folders,
  name: string,
  schema: Schema,
): Promise<z.infer<Schema>> {
  const path = join(folders.secretsDir, name);
  const text = await inFolder(folders, () => readFile(path, "utf8"));
  try {
    return z.parse(schema, JSON.parse(text));
  } catch {
    // The parser's message quotes the file.
    throw new ConfigError(`${settingOf(folders)}: ${path} is damaged: restore a copy of it.`);
  }
}

async function inFolder<T>(folders: Folders, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const { code, syscall, path = folders.secretsDir } = error as NodeJS.ErrnoException;
    if (!syscall) throw error;
    throw new ConfigError(`${settingOf(folders)}: ${path} cannot be read or written to (${code}).`);
  }
}

function settingOf({ dataDir, secretsDir }: Folders): string {
  return dirname(secretsDir) === dataDir ? "DATA_DIR" : "SECRETS_DIR";
}
