import { lowestIdAt } from "../messaging/index.ts";
import { DAY_MS } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { findWriters, insertContacts } from "./contacts.sql.ts";

const CONTACT_DAYS = 90;

/** Neither a block nor a deletion by the accused ends it later. */
export async function copyContacts(tx: Tx, ctx: AppContext, caseNo: number, accused: number): Promise<void> {
  const since = lowestIdAt(ctx.clock.now().getTime() - CONTACT_DAYS * DAY_MS);
  await insertContacts(tx, caseNo, await findWriters(tx, accused, since));
}
