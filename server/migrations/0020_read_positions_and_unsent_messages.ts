import { type Kysely, sql } from "kysely";

/** Read positions and unsent messages. The row of an unsent message keeps the number that it got, without content. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table conversations add column unsent_no int4 not null default 0`.execute(db);
  await sql`
    alter table messages
      add column unsent_no int4,
      drop constraint messages_content,
      add constraint messages_content
        check ((unsent_no is null) = (encrypted_text is not null or encrypted_media is not null))`.execute(
    db,
  );
  await sql`
    create unique index messages_unsent on messages (pair, unsent_no) where unsent_no is not null`.execute(
    db,
  );
  // A conversation has no last message after all of them were unsent. Unread follows from the other two columns.
  await sql`
    alter table inbox
      alter column last_message_id drop not null,
      add column last_received_id uuid,
      add column read_id uuid`.execute(db);
  await sql`
    update inbox set last_received_id = (
      select message_id from messages
      where pair = least(member_no, other_no) || ':' || greatest(member_no, other_no)
        and sender_no = other_no
      order by message_id desc limit 1)`.execute(db);
  await sql`update inbox set read_id = last_received_id where not unread`.execute(db);
  await sql`alter table inbox drop column unread`.execute(db);
}
