import { type Kysely, sql } from "kysely";

/** Pictures of suspended members, and networks of sign-ups. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table suspended_pictures (
      member_no int8 not null,
      media_id uuid not null,
      hash bit(128) not null,
      suspended_on date not null,
      primary key (member_no, media_id)
    )`.execute(db);
  await sql`
    create table picture_flags (
      member_no int8 not null,
      flag_id uuid not null,
      media_id uuid not null,
      similar_to int8 not null,
      flagged_on date not null,
      primary key (member_no, flag_id),
      constraint picture_flags_once unique (member_no, media_id, similar_to),
      constraint picture_flags_not_self check (member_no <> similar_to)
    )`.execute(db);
  await sql`create index picture_flags_similar on picture_flags (similar_to)`.execute(db);
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
