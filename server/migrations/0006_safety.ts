import { type Kysely, sql } from "kysely";

/**
 * Two rows per block, `o` for the blocking and `i` for the blocked member, so that each side reads only its own key.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create sequence block_sequence as bigint`.execute(db);
  await sql`
    create table block_edges (
      owner int8 not null,
      other int8 not null,
      dir "char" not null,
      at timestamptz not null,
      sequence_no int8 not null,
      primary key (owner, other, dir),
      constraint block_edges_dir check (dir in ('o', 'i')),
      constraint block_edges_not_self check (owner <> other)
    )`.execute(db);
}
