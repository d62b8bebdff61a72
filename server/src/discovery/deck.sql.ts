import type { Insertable } from "kysely";
import type { Db, Tables, Tx } from "../platform/database.ts";

/** One row by its key; of two builds at once the later one stays. */
export async function upsertDeck(db: Db, deck: Insertable<Tables["decks"]>): Promise<void> {
  const { viewer: _, ...built } = deck;
  await db
    .insertInto("decks")
    .values(deck)
    .onConflict((conflict) => conflict.column("viewer").doUpdateSet(built))
    .execute();
}

export async function deleteDeck(tx: Tx, no: number): Promise<void> {
  await tx.deleteFrom("decks").where("viewer", "=", no).execute();
}
