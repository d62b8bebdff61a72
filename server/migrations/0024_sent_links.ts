import { type Kysely, sql } from "kysely";

/** Links that new accounts sent recently, as keyed digests of the link and the receiver. */
export async function up(db: Kysely<unknown>): Promise<void> {
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
