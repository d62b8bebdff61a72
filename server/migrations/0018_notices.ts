import { type Kysely, sql } from "kysely";

/** Notices of anybody, and the figures of the transparency report. Each notice is a case without an accused; the cases of accounts that were found are in `notice_hits`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table notices (
      case_no int8 primary key,
      kind text not null,
      key_id int8 not null,
      encrypted_notice bytea not null,
      hashes text[] not null,
      received_on date not null,
      state text not null,
      constraint notices_kind check (kind in ('illegal', 'intimate', 'picture', 'child', 'other')),
      constraint notices_state check (state in ('received', 'answered', 'appealed', 'final'))
    )`.execute(db);
  await sql`create index notices_open on notices (case_no) where state in ('received', 'appealed')`.execute(
    db,
  );
  await sql`
    create table notice_hits (
      case_no int8 not null,
      member_no int8 not null,
      hit_case_no int8 not null,
      primary key (case_no, member_no)
    )`.execute(db);
  await sql`
    create table transparency_figures (
      month text not null,
      figure text not null,
      count int8 not null,
      primary key (month, figure)
    )`.execute(db);
}
