import { type Kysely, sql } from "kysely";

/**
 * What members want to be told, what there is to tell them, and where: `news` is the outbox of messages and matches,
 * written in their transactions, and only for members who want to be told.
 *
 * `heard` counts what a member might be told of; a device was `told` up to there.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table notices (
      member_no int8 primary key,
      listens bool not null,
      push bool not null,
      digest bool not null,
      quiet_hours bool not null,
      quiet_from int2 not null,
      quiet_to int2 not null,
      time_zone text,
      heard int8 not null,
      seen int8 not null,
      with_match bool not null,
      push_due_at timestamptz,
      pushed_at timestamptz,
      letter_due_at timestamptz,
      lettered_at timestamptz,
      constraint notices_seen check (seen <= heard),
      constraint notices_quiet_from check (quiet_from between 0 and 1439),
      constraint notices_quiet_to check (quiet_to between 0 and 1439)
    )`.execute(db);
  await sql`create index notices_push_due on notices (push_due_at) where push_due_at is not null`.execute(db);
  await sql`create index notices_letter_due on notices (letter_due_at) where letter_due_at is not null`.execute(
    db,
  );
  await sql`
    create table news (
      member_no int8 not null,
      news_id uuid not null,
      kind text not null,
      primary key (member_no, news_id),
      constraint news_kind check (kind in ('message', 'match'))
    )`.execute(db);
  await sql`
    create table push_subscriptions (
      member_no int8 not null,
      endpoint_digest bytea not null,
      session_id uuid not null,
      encrypted bytea not null,
      language text not null,
      created_at timestamptz not null,
      told int8 not null,
      tries int2 not null,
      retry_at timestamptz,
      primary key (member_no, endpoint_digest)
    )`.execute(db);
  await sql`create index push_subscriptions_session on push_subscriptions (session_id)`.execute(db);
  await sql`
    create table push_endpoints (
      endpoint_digest bytea primary key,
      member_no int8 not null
    )`.execute(db);
}
