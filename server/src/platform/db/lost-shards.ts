import { sql } from "kysely";
import type { Db } from "./database.ts";
import { DatabaseUnavailableError } from "./errors.ts";

const byDatabase = new WeakMap<Db, LostShards>();

/** The shards of a cluster's nodes that do not respond. */
export class LostShards {
  /** Citus's ids of the lost nodes, as far as they are known. */
  readonly groups = new Set<number>();

  begin(db: Db): void {
    byDatabase.set(db, this);
  }

  static end(db: Db): void {
    byDatabase.delete(db);
  }
}

/** Whether a statement for many shards would fail, or never end, because of one of them. */
export function hasLostShards(db: Db): boolean {
  return byDatabase.has(db);
}

/** Throws DatabaseUnavailableError when the row with this key is on a lost node. Asks the coordinator alone. */
export async function requireShard(db: Db, table: string, key: string | number): Promise<void> {
  const groups = [...(byDatabase.get(db)?.groups ?? [])];
  if (groups.length === 0) return;
  const { rows } = await sql`
    select from pg_dist_placement
    where groupid = any(${groups}::int4[])
      and shardid = get_shard_id_for_distribution_column(${table}::regclass, ${String(key)}::text)`.execute(
    db,
  );
  if (rows.length > 0) throw new DatabaseUnavailableError(new Error("the node of this row does not respond"));
}
