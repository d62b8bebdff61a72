import { type Kysely, sql } from "kysely";

/** To whom new accounts have sent links of late: keyed digests alone, neither the link nor the person. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table links_sent (
      member_no int8 not null,
      link_digest bytea not null,
      receiver_digest bytea not null,
      sent_at timestamptz not null,
      primary key (member_no, link_digest, receiver_digest),
      constraint links_sent_member foreign key (member_no) references members (member_no) on delete cascade
    )`.execute(db);
  await sql`create index links_sent_sent_at on links_sent (sent_at)`.execute(db);
}
