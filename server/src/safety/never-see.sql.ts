import { type Selectable, sql } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { SafetyTables } from "./tables.ts";

export type Entry = Selectable<SafetyTables["never_see"]>;

/** Newest first, including removed entries that still have an effect. */
export async function readEntries(db: Db, owner: number): Promise<Entry[]> {
  return db
    .selectFrom("never_see")
    .selectAll()
    .where("owner", "=", owner)
    .orderBy("added_at", "desc")
    .orderBy("entry_id")
    .execute();
}

export async function readEntry(db: Db, owner: number, entryId: string): Promise<Entry | null> {
  const row = await db
    .selectFrom("never_see")
    .selectAll()
    .where("owner", "=", owner)
    .where("entry_id", "=", entryId)
    .executeTakeFirst();
  return row ?? null;
}

/** Restores a removed entry instead of adding a second one. Returns its id. */
export async function upsertEntry(tx: Tx, entry: Omit<Entry, "other" | "removed_at">): Promise<string> {
  const { added_at, due_at } = entry;
  const row = await tx
    .insertInto("never_see")
    .values({ ...entry, other: null, removed_at: null })
    .onConflict((conflict) =>
      conflict.columns(["owner", "digest"]).doUpdateSet({ added_at, due_at, removed_at: null }),
    )
    .returning("entry_id")
    .executeTakeFirstOrThrow();
  return row.entry_id;
}

export async function insertIndex(tx: Tx, entry: SafetyTables["never_see_index"]): Promise<void> {
  await tx
    .insertInto("never_see_index")
    .values(entry)
    .onConflict((conflict) => conflict.columns(["digest", "owner"]).doNothing())
    .execute();
}

export async function deleteIndex(tx: Tx, { digest, owner }: SafetyTables["never_see_index"]): Promise<void> {
  await tx.deleteFrom("never_see_index").where("digest", "=", digest).where("owner", "=", owner).execute();
}

/** Sorted by rising number. */
export async function readOwners(db: Db, digests: readonly Buffer[]): Promise<number[]> {
  const found = await db
    .selectFrom("never_see_index")
    .select("owner")
    .distinct()
    .where("digest", "=", sql<Buffer>`any(${digests}::bytea[])`)
    .execute();
  return found.map(({ owner }) => owner).toSorted((a, b) => a - b);
}

export async function setOther(tx: Tx, owner: number, entryId: string, other: number): Promise<void> {
  await tx
    .updateTable("never_see")
    .set({ other })
    .where("owner", "=", owner)
    .where("entry_id", "=", entryId)
    .execute();
}

/** Returns false if the entries already name the member or are removed. */
export async function setOtherByDigest(
  tx: Tx,
  owner: number,
  digests: readonly Buffer[],
  other: number,
): Promise<boolean> {
  const changed = await tx
    .updateTable("never_see")
    .set({ other })
    .where("owner", "=", owner)
    .where("digest", "=", sql<Buffer>`any(${digests}::bytea[])`)
    .where("removed_at", "is", null)
    .where("other", "is", null)
    .returning("entry_id")
    .execute();
  return changed.length > 0;
}

export async function setDue(
  tx: Tx,
  { owner, entry_id }: Pick<Entry, "owner" | "entry_id">,
  set: Pick<Entry, "due_at" | "removed_at">,
): Promise<void> {
  await tx
    .updateTable("never_see")
    .set(set)
    .where("owner", "=", owner)
    .where("entry_id", "=", entry_id)
    .execute();
}

export async function deleteEntry(tx: Tx, owner: number, entryId: string): Promise<void> {
  await tx.deleteFrom("never_see").where("owner", "=", owner).where("entry_id", "=", entryId).execute();
}

/** Reads every shard by `never_see_due`. */
export async function readDue(db: Db, now: Date, limit: number) {
  return db
    .selectFrom("never_see")
    .select(["owner", "entry_id"])
    .where("due_at", "<=", now)
    .orderBy("due_at")
    .limit(limit)
    .execute();
}

export async function isMatched(db: Db, memberId: number, otherMemberId: number): Promise<boolean> {
  const row = await db
    .selectFrom("match_edges")
    .select("at")
    .where("member_no", "=", memberId)
    .where("other_no", "=", otherMemberId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Also deletes the edges of the named members. */
export async function deleteEntriesOf(tx: Tx, memberId: number): Promise<void> {
  const own = await tx
    .deleteFrom("never_see")
    .where("owner", "=", memberId)
    .returning(["digest", "other"])
    .execute();
  const digests = own.map(({ digest }) => digest);
  await tx
    .deleteFrom("never_see_index")
    .where("digest", "=", sql<Buffer>`any(${digests}::bytea[])`)
    .where("owner", "=", memberId)
    .execute();
  const others = own.flatMap(({ other }) => other ?? []).toSorted((a, b) => a - b);
  await tx
    .deleteFrom("block_edges")
    .where("owner", "=", sql<number>`any(${others}::int8[])`)
    .where("other", "=", memberId)
    .execute();
}

export async function readOwnersNaming(tx: Tx, memberId: number): Promise<number[]> {
  const edges = await tx
    .selectFrom("block_edges")
    .select("other")
    .where("owner", "=", memberId)
    .where("dir", "=", "m")
    .execute();
  return edges.map(({ other }) => other);
}

/** The entries stay, in case a new member signs up with the same name. */
export async function clearOther(tx: Tx, owners: readonly number[], other: number): Promise<void> {
  await tx
    .updateTable("never_see")
    .set({ other: null })
    .where("owner", "=", sql<number>`any(${owners}::int8[])`)
    .where("other", "=", other)
    .execute();
}
