import { type Kysely, sql } from "kysely";

/**
 * Adds a random rank to the day of a member's activity, so that each search can start at another place within a day.
 * `slot` counts days backwards, then ranks within a day.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table searchables add column slot int4`.execute(db);
  await sql`
    update searchables set slot = ((32767 - active_day) << 10) | (hashint8(member_no) & 1023)`.execute(db);
  await sql`
    alter table searchables
      alter column slot set not null,
      add constraint searchables_slot check (slot >> 10 = 32767 - active_day)`.execute(db);
  await sql`drop index searchables_near`.execute(db);
  await sql`drop index searchables_far`.execute(db);
  await sql`create index searchables_near on searchables (near_cell, sex, slot)`.execute(db);
  await sql`create index searchables_far on searchables (far_cell, sex, slot)`.execute(db);
}
