import { type Kysely, sql } from "kysely";

/**
 * `notification_outbox` gets an entry in the transaction of a message or match, if the member has a channel.
 *
 * `event_count` counts a member's events. A device was notified of the first `notified_count` of them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table notification_preferences (
      member_no int8 primary key,
      has_channel bool not null,
      push bool not null,
      digest bool not null,
      quiet_hours bool not null,
      quiet_from int2 not null,
      quiet_to int2 not null,
      event_count int8 not null,
      seen_count int8 not null,
      has_unseen_match bool not null,
      has_unseen_notice bool not null,
      push_due_at timestamptz,
      digest_due_at timestamptz,
      digest_sent_at timestamptz,
      push_asked bool not null,
      look_state text,
      look_at timestamptz,
      constraint notification_preferences_seen_count check (seen_count <= event_count),
      constraint notification_preferences_look_state check (look_state in ('watching', 'nobody', 'found')),
      constraint notification_preferences_quiet_from check (quiet_from between 0 and 1439),
      constraint notification_preferences_quiet_to check (quiet_to between 0 and 1439)
    )`.execute(db);
  await sql`
    create index notification_preferences_push_due on notification_preferences (push_due_at)
    where push_due_at is not null`.execute(db);
  await sql`
    create index notification_preferences_digest_due on notification_preferences (digest_due_at)
    where digest_due_at is not null`.execute(db);
  await sql`
    create index notification_preferences_look_at on notification_preferences (look_at)
    where look_state is not null`.execute(db);
  await sql`
    create table notification_outbox (
      member_no int8 not null,
      entry_id uuid not null,
      kind text not null,
      primary key (member_no, entry_id),
      constraint notification_outbox_kind check (kind in ('message', 'match', 'notice', 'device'))
    )`.execute(db);
  await sql`create sequence push_subscription_sequence as bigint`.execute(db);
  await sql`
    create table push_subscriptions (
      member_no int8 not null,
      endpoint_digest bytea not null,
      session_id uuid not null,
      encrypted_subscription bytea not null,
      language text not null,
      created_at timestamptz not null,
      sequence_no int8 not null,
      notified_count int8 not null,
      attempts int2 not null,
      retry_at timestamptz,
      primary key (member_no, endpoint_digest)
    )`.execute(db);
  await sql`
    create table push_endpoints (
      endpoint_digest bytea primary key,
      member_no int8 not null
    )`.execute(db);
}
