import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table announcements (
      announcement_id uuid primary key,
      encrypted_emails bytea not null,
      created_on date not null
    )`.execute(db);
  await sql`
    create table announced_members (
      member_no int8 not null,
      announcement_id uuid not null,
      primary key (member_no, announcement_id),
      constraint announced_members_member foreign key (member_no) references members (member_no) on delete cascade
    )`.execute(db);
}
