import { createECDH, randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError, type Config } from "../../config.ts";
import type { EncryptionKey } from "../config-reader.ts";
import { createPrivateFolder } from "../lib/private-folder.ts";

export interface Secrets {
  readonly token: string;
  readonly media: string;
  readonly pepper: string;
  readonly encryptionKeys: readonly EncryptionKey[];
  readonly vapid: VapidKeys;
}

interface VapidKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

interface Stored {
  token: string;
  media: string;
  pepper: string;
  encryption: string;
}

/** Missing secrets are generated once into `DATA_DIR`. `secrets.json` and the database together reveal everything. */
export async function readSecrets(config: Config): Promise<Secrets> {
  const isComplete =
    config.tokenSecret && config.mediaSecret && config.passwordPepper && config.encryptionKeys !== null;
  const stored = isComplete ? null : await readOrGenerate(config.dataDir, "secrets", generateSecrets);
  const vapid = config.vapid ?? (await readOrGenerate(config.dataDir, "vapid", generateVapidKeys));
  return {
    token: config.tokenSecret ?? stored!.token,
    media: config.mediaSecret ?? stored!.media,
    pepper: config.passwordPepper ?? stored!.pepper,
    encryptionKeys: config.encryptionKeys ?? [{ id: "k1", key: Buffer.from(stored!.encryption, "base64") }],
    vapid,
  };
}

function generateSecrets(): Stored {
  const fresh = () => randomBytes(32).toString("base64");
  return { token: fresh(), media: fresh(), pepper: fresh(), encryption: fresh() };
}

function generateVapidKeys(): VapidKeys {
  const pair = createECDH("prime256v1");
  const publicKey = pair.generateKeys("base64url");
  const privateKey = pair.getPrivateKey("hex").padStart(64, "0");
  return { publicKey, privateKey: Buffer.from(privateKey, "hex").toString("base64url") };
}

async function readOrGenerate<T>(dataDir: string, name: string, generateValue: () => T): Promise<T> {
  const path = join(dataDir, `${name}.json`);
  await createPrivateFolder(dataDir);
  if (!existsSync(path)) await writeOnce(dataDir, name, generateValue());
  const text = await readFile(path, "utf8");
  try {
    return JSON.parse(text) as T;
  } catch {
    // Without the parser's message, which quotes the file.
    throw new ConfigError(`DATA_DIR: ${path} is damaged: restore a copy of it.`);
  }
}

/** The file appears complete or not at all. Simultaneous processes use the file of the first one. */
async function writeOnce(dataDir: string, name: string, value: unknown): Promise<void> {
  const draft = join(dataDir, `.${name}.${randomUUID()}.draft`);
  try {
    await writeFile(draft, `${JSON.stringify(value, null, 2)}\n`, { mode: 0o600, flush: true });
    await link(draft, join(dataDir, `${name}.json`));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
