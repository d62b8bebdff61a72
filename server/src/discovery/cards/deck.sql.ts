import { type Insertable, sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";
import type { DiscoveryTables } from "../tables.ts";

export async function upsertDeck(db: Db, deck: Insertable<DiscoveryTables["decks"]>): Promise<void> {
  const { viewer: _, ...built } = deck;
  await db
    .insertInto("decks")
    .values(deck)
    .onConflict((conflict) => conflict.column("viewer").doUpdateSet(built))
    .execute();
}

export async function deleteDeck(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("decks").where("viewer", "=", memberId).execute();
}

/** Reads the whole table: for a job only. */
export async function removeFromDecks(db: Db, memberId: number): Promise<void> {
  await sql`update decks set ids = array_remove(ids, ${memberId}::int8) where ${memberId}::int8 = any(ids)`.execute(
    db,
  );
}

/** Reads the whole table: for the cleanup job only. */
export async function deleteDecksBuiltBefore(db: Db, at: Date): Promise<void> {
  await db.deleteFrom("decks").where("built_at", "<", at).execute();
}
