import { type Kysely, sql } from "kysely";

/** Members who do not show how far they have read, and so do not see it either. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table hidden_readers (
      member_no int8 primary key,
      constraint hidden_readers_member foreign key (member_no) references members (member_no) on delete cascade
    )`.execute(db);
}
