import { type Kysely, sql } from "kysely";

/** Blocks: two rows each (`o` on the side that blocked, `i` on the other), so that each side finds it locally. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table block_edges (
      owner int8 not null,
      other int8 not null,
      dir "char" not null,
      at timestamptz not null,
      primary key (owner, other, dir),
      constraint block_edges_dir check (dir in ('o', 'i')),
      constraint block_edges_not_self check (owner <> other)
    )`.execute(db);
}
