import { type Insertable, sql } from "kysely";
import { type Db, runPrepared, type Tx } from "../../platform/db/database.ts";
import type { DiscoveryTables } from "../tables.ts";

export async function upsertDeck(db: Db, deck: Insertable<DiscoveryTables["decks"]>): Promise<void> {
  const { viewer: _, ...built } = deck;
  await db
    .insertInto("decks")
    .values(deck)
    .onConflict((conflict) =>
      conflict.column("viewer").doUpdateSet((eb) => ({ ...built, rev: eb("decks.rev", "+", 1) })),
    )
    .execute();
}

/** Leaves a deck that another request has replaced. */
export async function updateDealt(
  db: Db,
  viewer: number,
  rev: number,
  dealt: readonly number[],
): Promise<void> {
  const statement = sql`
    update decks set dealt = ${dealt}::int8[] where viewer = ${viewer}::int8 and rev = ${rev}::int4`;
  await runPrepared(db, statement.compile(db));
}

export async function deleteDeck(tx: Tx, memberId: number): Promise<void> {
  await tx.deleteFrom("decks").where("viewer", "=", memberId).execute();
}

/** Reads the whole table: for a job only. */
export async function removeFromDecks(db: Db, memberId: number): Promise<void> {
  await sql`
    update decks set ids = array_remove(ids, ${memberId}::int8), dealt = array_remove(dealt, ${memberId}::int8)
    where ${memberId}::int8 = any(ids) or ${memberId}::int8 = any(dealt)`.execute(db);
}

/** Reads the whole table: for a job only. */
export async function deleteDecksBuiltBefore(db: Db, at: Date): Promise<void> {
  await db.deleteFrom("decks").where("built_at", "<", at).execute();
}
