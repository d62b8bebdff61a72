import { type Kysely, sql } from "kysely";

/** Cases, their evidence and decisions, the reports that opened them, and marks of suspended members. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create sequence case_sequence as bigint`.execute(db);
  await sql`
    create table cases (
      case_no int8 primary key,
      kind text not null,
      accused_no int8,
      key_id int8,
      encrypted_accused bytea,
      similar_to int8,
      rank int2 not null,
      sequence_no int8 not null,
      opened_on date not null,
      newest_report_at timestamptz not null,
      looked_on date,
      decided_on date,
      due_at timestamptz,
      keep_until date,
      constraint cases_kind check (kind in ('report', 'notice', 'threat', 'returned', 'operator'))
    )`.execute(db);
  await sql`create index cases_accused on cases (accused_no) where accused_no is not null`.execute(db);
  await sql`create index cases_open on cases (rank, sequence_no) where decided_on is null`.execute(db);
  await sql`
    create table case_evidence (
      case_no int8 not null,
      evidence_id uuid not null,
      report_no int8,
      key_id int8 not null,
      owner_no int8 not null,
      encrypted_detail bytea,
      encrypted_content bytea,
      sequence_no int8 not null,
      primary key (case_no, evidence_id)
    )`.execute(db);
  await sql`
    create table case_decisions (
      case_no int8 not null,
      decision_no int4 not null,
      decision text not null,
      rule text not null,
      content text,
      days int4,
      encrypted_reason bytea not null,
      encrypted_removed bytea,
      operator_id uuid,
      effective_at timestamptz not null,
      postponed_until timestamptz not null,
      ends_at timestamptz,
      state text not null,
      encrypted_appeal bytea,
      appealed_on date,
      appeal_state text,
      appeal_operator_id uuid,
      encrypted_appeal_reason bytea,
      primary key (case_no, decision_no),
      constraint case_decisions_decision check (decision in ('none', 'warn', 'remove', 'limit', 'freeze', 'suspend', 'ban')),
      constraint case_decisions_state check (state in ('waiting', 'announced', 'over', 'reversed')),
      constraint case_decisions_appeal check (appeal_state in ('open', 'upheld', 'reversed'))
    )`.execute(db);
  await sql`create index case_decisions_waiting on case_decisions (effective_at) where state = 'waiting'`.execute(
    db,
  );
  await sql`create index case_decisions_appeals on case_decisions (case_no) where appeal_state = 'open'`.execute(
    db,
  );
  await sql`create index case_decisions_ends on case_decisions (ends_at) where ends_at is not null`.execute(
    db,
  );
  await sql`
    create table reports (
      case_no int8 not null,
      report_no int8 not null,
      reporter_no int8,
      reason text not null,
      at timestamptz not null,
      sequence_no int8 not null,
      is_press bool not null default false,
      encrypted_contest bytea,
      primary key (case_no, report_no),
      constraint reports_reason check (reason in ('fake', 'harassment', 'spam', 'underage', 'threat', 'other'))
    )`.execute(db);
  await sql`create unique index reports_once on reports (case_no, reporter_no, reason)`.execute(db);
  await sql`
    create table reports_given (
      reporter_no int8 not null,
      report_no int8 not null,
      case_no int8 not null,
      primary key (reporter_no, report_no)
    )`.execute(db);
  await sql`
    create table case_contacts (
      case_no int8 not null,
      member_no int8 not null,
      primary key (case_no, member_no)
    )`.execute(db);
  await sql`create index case_contacts_member on case_contacts (member_no)`.execute(db);
  await sql`
    create table member_notices (
      member_no int8 not null,
      notice_id uuid not null,
      case_no int8 not null,
      kind text not null,
      encrypted_name bytea not null,
      created_on date not null,
      sequence_no int8 not null,
      is_new boolean not null default true,
      primary key (member_no, case_no, kind),
      constraint member_notices_kind check (kind in ('fraud', 'correction'))
    )`.execute(db);
  await sql`
    create table left_accounts (
      user_id_digest bytea primary key,
      member_no int8 not null,
      key_id int8 not null,
      encrypted_account bytea not null,
      left_on date not null
    )`.execute(db);
  await sql`create index left_accounts_member on left_accounts (member_no)`.execute(db);
  await sql`
    create table suspended_pictures (
      member_no int8 not null,
      media_id uuid not null,
      hash bit(128) not null,
      suspended_on date not null,
      primary key (member_no, media_id)
    )`.execute(db);
  await sql`
    create table suspended_mailboxes (
      mailbox_digest bytea not null,
      member_no int8 not null,
      suspended_on date not null,
      primary key (mailbox_digest, member_no)
    )`.execute(db);
  await sql`
    create table suspended_paypal (
      account_digest bytea not null,
      member_no int8 not null,
      suspended_on date not null,
      primary key (account_digest, member_no)
    )`.execute(db);
}
