import { randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SealingKey, Settings } from "../settings.ts";

export interface Secrets {
  readonly token: string;
  readonly media: string;
  readonly pepper: string;
  readonly sealingKeys: readonly SealingKey[];
}

interface Stored {
  token: string;
  media: string;
  pepper: string;
  sealing: string;
}

/**
 * The server's secrets: from the environment, and what is not given there generated once into
 * `DATA_DIR/secrets.json` (mode 0600). Whoever has that file and the database can read everything.
 */
export async function readSecrets(settings: Settings): Promise<Secrets> {
  const isComplete =
    settings.tokenSecret && settings.mediaSecret && settings.passwordPepper && settings.sealingKeys !== null;
  const stored = isComplete ? null : await readOrGenerate(settings.dataDir);
  return {
    token: settings.tokenSecret ?? stored!.token,
    media: settings.mediaSecret ?? stored!.media,
    pepper: settings.passwordPepper ?? stored!.pepper,
    sealingKeys: settings.sealingKeys ?? [{ id: "k1", key: Buffer.from(stored!.sealing, "base64") }],
  };
}

async function readOrGenerate(dataDir: string): Promise<Stored> {
  const path = join(dataDir, "secrets.json");
  await mkdir(dataDir, { recursive: true });
  if (!existsSync(path)) await generate(dataDir, path);
  return JSON.parse(await readFile(path, "utf8")) as Stored;
}

/** The file appears whole or not at all, whenever we die; of processes that start at once the first one's counts. */
async function generate(dataDir: string, path: string): Promise<void> {
  const fresh = () => randomBytes(32).toString("base64");
  const generated: Stored = { token: fresh(), media: fresh(), pepper: fresh(), sealing: fresh() };
  const draft = join(dataDir, `.secrets.${randomUUID()}.draft`);
  try {
    await writeFile(draft, `${JSON.stringify(generated, null, 2)}\n`, { mode: 0o600, flush: true });
    await link(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    await rm(draft, { force: true });
  }
}
