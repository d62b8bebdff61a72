import { type Kysely, sql } from "kysely";

/**
 * Last passes, never-see lists and reports. `block_edges` gets the direction `m`, for the named member of a never-see entry.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table last_passes (
      member_no int8 primary key,
      target int8 not null,
      sequence_no int8 not null,
      day date not null,
      used_card bool not null,
      card_fingerprint int8,
      constraint last_passes_not_self check (member_no <> target)
    )`.execute(db);
  await sql`alter table block_edges drop constraint block_edges_dir`.execute(db);
  await sql`
    alter table block_edges add constraint block_edges_dir check (dir in ('o', 'i', 'm'))`.execute(db);
  await sql`create sequence never_see_sequence as bigint`.execute(db);
  await sql`
    create table never_see (
      owner int8 not null,
      entry_id uuid not null,
      kind text not null,
      digest bytea not null,
      added_at timestamptz not null,
      sequence_no int8 not null,
      other int8,
      primary key (owner, entry_id),
      constraint never_see_once unique (owner, digest),
      constraint never_see_kind check (kind in ('email', 'handle')),
      constraint never_see_not_self check (owner <> other)
    )`.execute(db);
  await sql`
    create table never_see_index (
      digest bytea not null,
      owner int8 not null,
      primary key (digest, owner)
    )`.execute(db);
  await sql`create sequence report_sequence as bigint`.execute(db);
  await sql`
    create table reports (
      reported_no int8 not null,
      report_id uuid not null,
      reporter_no int8,
      key_id int8 not null,
      reason text not null,
      encrypted_detail bytea,
      encrypted_message bytea,
      at timestamptz not null,
      sequence_no int8 not null,
      resolved_at timestamptz,
      outcome text,
      primary key (reported_no, report_id),
      constraint reports_outcome check (outcome in ('resolved', 'dismissed', 'suspended')),
      constraint reports_closed check ((resolved_at is null) = (outcome is null)),
      constraint reports_reason check (reason in ('fake', 'harassment', 'spam', 'underage', 'other')),
      constraint reports_not_self check (reporter_no <> reported_no)
    )`.execute(db);
  await sql`
    create table reports_given (
      reporter_no int8 not null,
      report_id uuid not null,
      reported_no int8 not null,
      primary key (reporter_no, report_id)
    )`.execute(db);
}
