import { sql } from "kysely";
import type { AppContext } from "../platform/context.ts";

/** Holds the statement's locks until `release`. */
export async function hold(db: AppContext["db"], statement: string): Promise<{ release(): Promise<void> }> {
  const held = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const holding = db.transaction().execute(async (tx) => {
    await sql.raw(statement).execute(tx);
    held.resolve();
    await released.promise;
  });
  await held.promise;
  return {
    async release() {
      released.resolve();
      await holding;
    },
  };
}
