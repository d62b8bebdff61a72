import { gunzipSync, gzipSync } from "node:zlib";
import * as z from "zod/mini";
import type { AppContext } from "../../../platform/context.ts";
import { DecryptionError } from "../../../platform/keys/cipher.ts";
import { rewrap } from "../../../platform/keys/data-keys.ts";
import type { DataKeyRow } from "../../../platform/keys/data-keys.sql.ts";
import { placeOfEncryptionKeys } from "../../../platform/keys/secrets.ts";
import { OperatorError } from "../command-line.ts";
import type { BackupReader } from "./backup-format.ts";
import { ArchiveError, type Entry } from "./tar.ts";

const PREFIX = "keys/";
const Keys = z.array(z.tuple([z.number(), z.string(), z.string()]));

/** @param before number of keys in earlier entries */
export function encodeKeys(keys: readonly DataKeyRow[], before: number): Entry {
  const values = keys.map(({ key_id, master_key, wrapped_key }) => [
    key_id,
    master_key,
    wrapped_key.toString("base64"),
  ]);
  const name = `${PREFIX}${String(before).padStart(12, "0")}.json.gz`;
  return { name, bytes: gzipSync(JSON.stringify(values), { level: 1 }) };
}

/** The active master key encrypts the keys. Throws without their own master keys. */
export async function* readKeys(ctx: AppContext, reader: BackupReader): AsyncGenerator<DataKeyRow[]> {
  for await (const { bytes } of reader.entries(PREFIX)) {
    const keys = decode(bytes);
    yield await Promise.all(
      keys.map(async ([key_id, master_key, wrapped]) => {
        const master = await ctx.masterKeys.find(master_key);
        if (!master) throw missingMasterKey(ctx, master_key);
        const row = { key_id, master_key, wrapped_key: Buffer.from(wrapped, "base64") };
        try {
          return rewrap(master, ctx.masterKeys.active, row);
        } catch (error) {
          throw error instanceof DecryptionError ? missingMasterKey(ctx, master_key) : error;
        }
      }),
    );
  }
}

function decode(bytes: Buffer): z.infer<typeof Keys> {
  try {
    return z.parse(Keys, JSON.parse(gunzipSync(bytes).toString()));
  } catch {
    throw new ArchiveError("it was changed");
  }
}

function missingMasterKey({ config }: AppContext, id: string): OperatorError {
  return new OperatorError(
    `${placeOfEncryptionKeys(config)} lacks the master key ${id}, which the backup of the keys needs.`,
  );
}
