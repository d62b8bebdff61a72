import { type Kysely, sql } from "kysely";

/** Unsent messages. The row of an unsent message keeps the number that it got, without content. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table conversations add column unsent_no int4 not null default 0`.execute(db);
  await sql`
    alter table messages add column unsent_no int4`.execute(db);
  await sql`alter table messages drop constraint messages_content`.execute(db);
  await sql`
    alter table messages add constraint messages_content
        check ((unsent_no is null) = (encrypted_text is not null or encrypted_media is not null))`.execute(
    db,
  );
  await sql`
    create unique index messages_unsent on messages (pair, unsent_no) where unsent_no is not null`.execute(
    db,
  );
}
