import { type Kysely, sql } from "kysely";

/** Reports about members, their texts and messages, and the same reports by reporter. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create sequence report_sequence as bigint`.execute(db);
  await sql`
    create table reports (
      reported_no int8 not null,
      report_id uuid not null,
      reporter_no int8,
      reason text not null,
      at timestamptz not null,
      sequence_no int8 not null,
      was_read bool not null default false,
      is_last bool not null,
      resolved_at timestamptz,
      outcome text,
      primary key (reported_no, report_id),
      constraint reports_outcome check (outcome in ('resolved', 'dismissed', 'suspended')),
      constraint reports_closed check ((resolved_at is null) = (outcome is null)),
      constraint reports_reason check (reason in ('fake', 'harassment', 'spam', 'underage', 'other')),
      constraint reports_not_self check (reporter_no <> reported_no)
    )`.execute(db);
  await sql`
    create unique index reports_open on reports (reported_no, reporter_no, reason)
    where resolved_at is null`.execute(db);
  await sql`
    create table report_entries (
      reported_no int8 not null,
      report_id uuid not null,
      entry_id uuid not null,
      key_id int8 not null,
      encrypted_detail bytea,
      encrypted_message bytea,
      sequence_no int8 not null,
      primary key (reported_no, report_id, entry_id)
    )`.execute(db);
  await sql`
    create table reports_given (
      reporter_no int8 not null,
      report_id uuid not null,
      reported_no int8 not null,
      primary key (reporter_no, report_id)
    )`.execute(db);
}
