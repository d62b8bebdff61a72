import { type Kysely, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table passkeys (
      member_no int8 not null,
      credential_digest bytea not null,
      encrypted_passkey bytea not null,
      sign_count int8 not null,
      passkey_no int4 not null,
      created_on date not null,
      used_on date,
      primary key (member_no, credential_digest),
      constraint passkeys_member foreign key (member_no) references members (member_no) on delete cascade
    )`.execute(db);
  await sql`
    create table passkey_index (
      credential_digest bytea primary key,
      member_no int8 not null
    )`.execute(db);
  await sql`
    create table recovery_codes (
      member_no int8 not null,
      code_digest bytea not null,
      primary key (member_no, code_digest),
      constraint recovery_codes_member foreign key (member_no) references members (member_no) on delete cascade
    )`.execute(db);
}
