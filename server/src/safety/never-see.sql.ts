import { type Selectable, sql } from "kysely";
import type { Db, Tx } from "../platform/db/database.ts";
import type { SafetyTables } from "./tables.ts";

export type Entry = Selectable<SafetyTables["never_see"]>;

export async function readEntries(db: Db, owner: number): Promise<Entry[]> {
  return db
    .selectFrom("never_see")
    .selectAll()
    .where("owner", "=", owner)
    .orderBy("sequence_no", "desc")
    .execute();
}

export async function insertEntry(tx: Tx, entry: Omit<Entry, "others" | "sequence_no">): Promise<void> {
  await tx
    .insertInto("never_see")
    .values({ ...entry, others: [], sequence_no: sql`nextval('never_see_sequence')` })
    .execute();
}

export async function updateDetails(
  tx: Tx,
  { owner, entry_id }: Pick<Entry, "owner" | "entry_id">,
  encrypted_details: Buffer,
): Promise<void> {
  await tx
    .updateTable("never_see")
    .set({ encrypted_details })
    .where("owner", "=", owner)
    .where("entry_id", "=", entry_id)
    .execute();
}

/** Returns the named members, who may have signed up since the entry was read. */
export async function deleteEntry(tx: Tx, { owner, entry_id }: Entry): Promise<number[]> {
  const row = await tx
    .deleteFrom("never_see")
    .where("owner", "=", owner)
    .where("entry_id", "=", entry_id)
    .returning("others")
    .executeTakeFirst();
  return row?.others ?? [];
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

export async function readOwners(db: Db, digests: readonly Buffer[]): Promise<number[]> {
  if (digests.length === 0) return [];
  const found = await db
    .selectFrom("never_see_index")
    .select("owner")
    .distinct()
    .where("digest", "=", sql<Buffer>`any(${digests}::bytea[])`)
    .execute();
  return found.map(({ owner }) => owner).toSorted((a, b) => a - b);
}

export async function addOther(tx: Tx, owner: number, entryId: string, other: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("never_see")
    .set({ others: withOther(other) })
    .where("owner", "=", owner)
    .where("entry_id", "=", entryId)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function addOtherByDigest(
  tx: Tx,
  owner: number,
  digests: readonly Buffer[],
  other: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("never_see")
    .set({ others: withOther(other) })
    .where("owner", "=", owner)
    .where("digest", "=", sql<Buffer>`any(${digests}::bytea[])`)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

const withOther = (other: number) =>
  sql<number[]>`array_append(array_remove(others, ${other}::int8), ${other}::int8)`;

/** Runs the same statement for an empty list. */
export async function deleteNamedEdges(tx: Tx, named: readonly number[], by: number): Promise<void> {
  await sql`
    delete from block_edges
    where owner = any(${named}::int8[]) and other = ${by}::int8 and dir = 'm'`.execute(tx);
}

export async function deleteEntriesOf(tx: Tx, memberId: number): Promise<void> {
  const own = await tx
    .deleteFrom("never_see")
    .where("owner", "=", memberId)
    .returning(["digest", "others"])
    .execute();
  if (own.length === 0) return;
  const digests = own.map(({ digest }) => digest);
  await tx
    .deleteFrom("never_see_index")
    .where("digest", "=", sql<Buffer>`any(${digests}::bytea[])`)
    .where("owner", "=", memberId)
    .execute();
  const others = own.flatMap(({ others: named }) => named).toSorted((a, b) => a - b);
  if (others.length === 0) return;
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
  if (owners.length === 0) return;
  await tx
    .updateTable("never_see")
    .set({ others: sql`array_remove(others, ${other}::int8)` })
    .where("owner", "=", sql<number>`any(${owners}::int8[])`)
    .where(sql<boolean>`${other}::int8 = any(others)`)
    .execute();
}
