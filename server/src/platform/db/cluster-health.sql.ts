import { sql } from "kysely";
import type { Db } from "./database.ts";

/** Whether every node of a Citus cluster responds in two seconds. A single database is one node. */
export async function areNodesUp(db: Db): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await sql`set local statement_timeout = '2s'`.execute(tx);
    const { rows } = await sql<{ isCluster: boolean }>`
      select to_regproc('run_command_on_all_nodes') is not null as "isCluster"`.execute(tx);
    if (!rows[0]!.isCluster) return true;
    const nodes = await sql<{ areUp: boolean | null }>`
      select bool_and(success) as "areUp" from run_command_on_all_nodes('select 1')`.execute(tx);
    return nodes.rows[0]!.areUp ?? false;
  });
}
