import { type Kysely, sql } from "kysely";

/**
 * Two rows per block, `o` for the blocking and `i` for the blocked member, so that each side reads only its own key. `m` is for
 * the named member of a never-see entry, `u` for both members of an ended match.
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
      constraint block_edges_dir check (dir in ('o', 'i', 'm', 'u')),
      constraint block_edges_not_self check (owner <> other)
    )`.execute(db);
  await sql`create sequence never_see_sequence as bigint`.execute(db);
  await sql`
    create table never_see (
      owner int8 not null,
      entry_id uuid not null,
      kind text not null,
      digest bytea not null,
      added_at timestamptz not null,
      encrypted_details bytea not null,
      sequence_no int8 not null,
      others int8[] not null default '{}',
      primary key (owner, entry_id),
      constraint never_see_once unique (owner, digest),
      constraint never_see_kind check (kind in ('email', 'handle')),
      constraint never_see_not_self check (owner <> all (others))
    )`.execute(db);
  await sql`
    create table never_see_index (
      digest bytea not null,
      owner int8 not null,
      primary key (digest, owner)
    )`.execute(db);
}
