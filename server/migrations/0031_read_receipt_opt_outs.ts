import { type Kysely, sql } from "kysely";

/** Members who neither show nor see read receipts, and those who show and see typing. */
export async function up(db: Kysely<unknown>): Promise<void> {
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
}
