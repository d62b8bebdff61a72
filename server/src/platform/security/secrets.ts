import { createECDH, randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError, type EncryptionKey, type Config } from "../../config.ts";
import { createPrivateFolder } from "../lib/private-folder.ts";

export interface Secrets {
  readonly token: string;
  readonly media: string;
  readonly pepper: string;
  readonly encryptionKeys: readonly EncryptionKey[];
  /** By which push services know this server. */
  readonly vapid: VapidKeys;
}

/** A pair of keys on the curve P-256, in base64url. */
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

/**
 * The server's secrets: from the environment, and what is not given there generated once into
 * `DATA_DIR/secrets.json` (mode 0600). Whoever has that file and the database can read everything. The keys for push
 * services have a file of their own, `vapid.json`.
 */
export async function readSecrets(config: Config): Promise<Secrets> {
  const isComplete =
    config.tokenSecret && config.mediaSecret && config.passwordPepper && config.encryptionKeys !== null;
  const stored = isComplete ? null : await readOrGenerate(config.dataDir, "secrets", makeSecrets);
  const vapid = config.vapid ?? (await readOrGenerate(config.dataDir, "vapid", makePushKeys));
  return {
    token: config.tokenSecret ?? stored!.token,
    media: config.mediaSecret ?? stored!.media,
    pepper: config.passwordPepper ?? stored!.pepper,
    encryptionKeys: config.encryptionKeys ?? [{ id: "k1", key: Buffer.from(stored!.encryption, "base64") }],
    vapid,
  };
}

function makeSecrets(): Stored {
  const fresh = () => randomBytes(32).toString("base64");
  return { token: fresh(), media: fresh(), pepper: fresh(), encryption: fresh() };
}

function makePushKeys(): VapidKeys {
  const pair = createECDH("prime256v1");
  const publicKey = pair.generateKeys("base64url");
  // A number with noughts in front is shorter than push libraries take it.
  const privateKey = pair.getPrivateKey("hex").padStart(64, "0");
  return { publicKey, privateKey: Buffer.from(privateKey, "hex").toString("base64url") };
}

async function readOrGenerate<T>(dataDir: string, name: string, make: () => T): Promise<T> {
  const path = join(dataDir, `${name}.json`);
  await createPrivateFolder(dataDir);
  if (!existsSync(path)) await generate(dataDir, name, make());
  const text = await readFile(path, "utf8");
  try {
    return JSON.parse(text) as T;
  } catch {
    // Without the parser's own words: they quote what it read.
    throw new ConfigError(`DATA_DIR: ${path} is not as it was written: put back a copy of it.`);
  }
}

/** The file appears whole or not at all, whenever we die; of processes that start at once the first one's counts. */
async function generate(dataDir: string, name: string, generated: unknown): Promise<void> {
  const draft = join(dataDir, `.${name}.${randomUUID()}.draft`);
  try {
    await writeFile(draft, `${JSON.stringify(generated, null, 2)}\n`, { mode: 0o600, flush: true });
    await link(draft, join(dataDir, `${name}.json`));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
