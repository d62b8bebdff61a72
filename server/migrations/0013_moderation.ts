import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table picture_reviews (
      member_no int8 not null,
      media_id uuid not null,
      review_id uuid not null,
      risk text not null,
      added_on date not null,
      primary key (member_no, media_id),
      constraint picture_reviews_risk check (risk in ('near_banned', 'new', 'usual'))
    )`.execute(db);
  await sql`
    create table sign_up_networks (
      network_digest bytea not null,
      member_no int8 not null,
      signed_up_on date not null,
      waits_until timestamptz,
      primary key (network_digest, member_no)
    )`.execute(db);
  await sql`create index sign_up_networks_member on sign_up_networks (member_no)`.execute(db);
}
