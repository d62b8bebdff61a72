import { type Kysely, sql } from "kysely";

/** Questions of members and the replies of operators. `is_open` questions wait for one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create sequence help_sequence as bigint`.execute(db);
  await sql`
    create table help_messages (
      member_no int8 not null,
      message_id uuid not null,
      sequence_no int8 not null,
      is_answer bool not null,
      is_open bool not null,
      sent_on date not null,
      encrypted_message bytea not null,
      primary key (member_no, message_id),
      constraint help_messages_open check (not (is_answer and is_open))
    )`.execute(db);
  await sql`create index help_messages_open on help_messages (sequence_no) where is_open`.execute(db);
}
