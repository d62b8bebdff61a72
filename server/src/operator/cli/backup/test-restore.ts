import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AppContext } from "../../../platform/context.ts";
import { startPostgres } from "../../../platform/embedded-postgres/server.ts";
import { DecryptionError } from "../../../platform/keys/cipher.ts";
import { loadPeople } from "../../../profiles/index.ts";
import { buildServer } from "../../../server.ts";
import { OperatorError } from "../command-line.ts";
import { type Restored, type RestoreFrom, restoreFrom } from "./restore-backup.ts";

const BATCH = 500;

/**
 * Decrypts every profile of a temporary database, and removes it. The server's own data and deletion list stay as they
 * are.
 *
 * @throws OperatorError if a restored member cannot be decrypted
 */
export async function testRestore(
  ctx: AppContext,
  from: RestoreFrom & { deletions: string },
): Promise<Restored> {
  const dataDir = await mkdtemp(join(tmpdir(), "alcove-restore-test-"));
  await chmod(dataDir, 0o711);
  try {
    const postgres = await startPostgres({ dataDir });
    try {
      const config = { ...ctx.config, dataDir, s3: null, natsUrl: null };
      const parts = await buildServer({ config, databaseUrl: postgres.url, log: ctx.log, poolSize: 2 });
      try {
        const restored = await restoreFrom(parts.ctx, postgres.url, from);
        await decryptAll(parts.ctx);
        return restored;
      } finally {
        await parts.close();
      }
    } finally {
      await postgres.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function decryptAll(ctx: AppContext): Promise<void> {
  for (let after = 0; ;) {
    const rows = await ctx.db
      .selectFrom("profiles")
      .select("member_no")
      .where("member_no", ">", after)
      .orderBy("member_no")
      .limit(BATCH)
      .execute();
    const last = rows.at(-1);
    if (!last) return;
    after = last.member_no;
    const ids = rows.map(({ member_no }) => member_no);
    const people = await loadPeople(ctx, ids).catch((error: unknown) => {
      if (error instanceof DecryptionError)
        throw new OperatorError("The keys do not open the restored profiles.");
      throw error;
    });
    const unreadable = ids.filter((id) => !people.has(id)).length;
    if (unreadable > 0)
      throw new OperatorError(`The backup lacks the keys of ${unreadable} restored profiles.`);
  }
}
