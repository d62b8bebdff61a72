import type { Db, Tx } from "../platform/db/database.ts";
import { sql } from "kysely";
import type { SafetyTables } from "./tables.ts";

export async function hasBlocked(db: Db, owner: number, other: number): Promise<boolean> {
  const row = await db
    .selectFrom("block_edges")
    .select("dir")
    .where("owner", "=", owner)
    .where("other", "=", other)
    .where("dir", "=", "o")
    .executeTakeFirst();
  return row !== undefined;
}

export async function readBlocked(db: Db, owner: number): Promise<number[]> {
  const edges = await db
    .selectFrom("block_edges")
    .select("other")
    .where("owner", "=", owner)
    .where("dir", "=", "o")
    .orderBy("sequence_no", "desc")
    .execute();
  return edges.map(({ other }) => other);
}

type Edge = Omit<SafetyTables["block_edges"], "sequence_no">;

export async function insertEdge(tx: Tx, edge: Edge): Promise<void> {
  await tx
    .insertInto("block_edges")
    .values({ ...edge, sequence_no: sql`nextval('block_sequence')` })
    .onConflict((conflict) => conflict.columns(["owner", "other", "dir"]).doNothing())
    .execute();
}

export async function deleteEdge(tx: Tx, edge: Omit<Edge, "at">): Promise<void> {
  await tx
    .deleteFrom("block_edges")
    .where("owner", "=", edge.owner)
    .where("other", "=", edge.other)
    .where("dir", "=", edge.dir)
    .execute();
}

/** Reads the whole table: for a job only. */
export async function deletePartingsBefore(db: Db, at: Date): Promise<void> {
  await db.deleteFrom("block_edges").where("dir", "=", "u").where("at", "<", at).execute();
}

export async function deleteEdgesOf(tx: Tx, memberId: number): Promise<void> {
  const own = await tx.deleteFrom("block_edges").where("owner", "=", memberId).returning("other").execute();
  const others = own.map(({ other }) => other).toSorted((a, b) => a - b);
  if (others.length === 0) return;
  await tx
    .deleteFrom("block_edges")
    .where("owner", "=", sql<number>`any(${others}::int8[])`)
    .where("other", "=", memberId)
    .execute();
}
