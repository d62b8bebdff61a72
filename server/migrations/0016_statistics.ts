import { type Kysely, sql } from "kysely";

/** Sums of days, without a person. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table daily_figures (
      day date not null,
      figure text not null,
      part uuid not null,
      value int8 not null,
      primary key (day, figure, part)
    )`.execute(db);
}
