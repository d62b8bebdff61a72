import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { DAY_MS } from "../../platform/clock.ts";
import type { Config } from "../../config.ts";

export function outboxFolder({ dataDir }: Pick<Config, "dataDir">): string {
  return join(dataDir, "outbox");
}

/** Emails name an address, so the outbox keeps them for a day, even if a mail server is configured since. */
export async function deleteOldEmails(config: Config, now: Date): Promise<void> {
  const folder = outboxFolder(config);
  const endMs = now.getTime() - DAY_MS;
  for (const name of await namesIn(folder)) {
    const path = join(folder, name);
    const file = await lstat(path).catch(() => null);
    if (file && !file.isDirectory() && file.mtimeMs < endMs) await rm(path, { force: true });
  }
}

/** The outbox exists only where emails were written. */
async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}
