import { type Kysely, sql } from "kysely";

/**
 * A conversation for each pair, its messages, and an inbox row for each side. The same for conversations hidden by a block.
 *
 * `change_no` counts unsent messages and reactions. The row of an unsent message keeps the number that it got; its content moves to
 * `unsent_messages` for a day. A message keeps the number of its last reaction.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table conversations (
      pair text primary key,
      key_id int8 not null,
      last_message_id uuid,
      previous_message_id uuid,
      change_no int4 not null default 0
    )`.execute(db);
  await sql`
    create table messages (
      pair text not null,
      message_id uuid not null,
      sender_no int8 not null,
      client_id uuid,
      encrypted_text bytea,
      encrypted_media bytea,
      encrypted_reply bytea,
      encrypted_reactions bytea,
      unsent_no int4,
      reacted_no int4,
      primary key (pair, message_id),
      constraint messages_content
        check ((unsent_no is null) = (encrypted_text is not null or encrypted_media is not null)),
      constraint messages_reactions check (encrypted_reactions is null or reacted_no is not null),
      constraint messages_changed check (unsent_no is null or reacted_no is null)
    )`.execute(db);
  // Partial, so that no plan for a page of messages uses it instead of the primary key.
  await sql`
    create unique index messages_client_id on messages (pair, sender_no, client_id)
    where client_id is not null`.execute(db);
  await sql`
    create unique index messages_unsent on messages (pair, unsent_no) where unsent_no is not null`.execute(
    db,
  );
  await sql`
    create unique index messages_reacted on messages (pair, reacted_no) where reacted_no is not null`.execute(
    db,
  );
  await sql`
    create table inbox (
      member_no int8 not null,
      other_no int8 not null,
      last_message_id uuid,
      last_received_id uuid,
      read_id uuid,
      is_muted bool not null default false,
      primary key (member_no, other_no),
      constraint inbox_not_self check (member_no <> other_no)
    )`.execute(db);
  await sql`
    create table hidden_conversations (
      member_no int8 not null,
      other_no int8 not null,
      key_id int8 not null,
      hidden_on date not null,
      left_on date,
      primary key (member_no, other_no, key_id),
      constraint hidden_conversations_not_self check (member_no <> other_no)
    )`.execute(db);
  await sql`
    create table hidden_messages (
      pair text not null,
      key_id int8 not null,
      message_id uuid not null,
      sender_no int8 not null,
      encrypted_text bytea,
      encrypted_media bytea,
      primary key (pair, key_id, message_id),
      constraint hidden_messages_content check (encrypted_text is not null or encrypted_media is not null)
    )`.execute(db);
  await sql`
    create table unsent_messages (
      pair text not null,
      message_id uuid not null,
      sender_no int8 not null,
      key_id int8 not null,
      kept_until timestamptz not null,
      encrypted_text bytea,
      encrypted_media bytea,
      primary key (pair, message_id)
    )`.execute(db);
  await sql`
    create table read_receipt_opt_outs (
      member_no int8 primary key,
      constraint read_receipt_opt_outs_member foreign key (member_no) references members (member_no) on delete cascade
    )`.execute(db);
  await sql`
    create table typing_opt_ins (
      member_no int8 primary key,
      constraint typing_opt_ins_member foreign key (member_no) references members (member_no) on delete cascade
    )`.execute(db);
  await sql`
    create table picture_opt_outs (
      member_no int8 primary key,
      constraint picture_opt_outs_member foreign key (member_no) references members (member_no) on delete cascade
    )`.execute(db);
  await sql`
    create table unwanted_pictures (
      member_no int8 not null,
      other_no int8 not null,
      primary key (member_no, other_no),
      constraint unwanted_pictures_not_self check (member_no <> other_no)
    )`.execute(db);
  await sql`create index unwanted_pictures_other on unwanted_pictures (other_no)`.execute(db);
  await sql`
    create table sent_links (
      member_no int8 not null,
      link_digest bytea not null,
      receiver_digest bytea not null,
      sent_at timestamptz not null,
      primary key (member_no, link_digest, receiver_digest),
      constraint sent_links_member foreign key (member_no) references members (member_no) on delete cascade
    )`.execute(db);
  await sql`create index sent_links_sent_at on sent_links (sent_at)`.execute(db);
}
