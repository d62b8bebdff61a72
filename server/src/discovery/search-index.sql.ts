import { type Insertable, sql } from "kysely";
import { selectActiveMembers } from "../accounts/index.ts";
import type { Db, Tx } from "../platform/db/database.ts";
import type { DiscoveryTables } from "./tables.ts";

/** Locks the profile until the end of the transaction and reads where the member is. */
export function lockPlace(tx: Tx, memberId: number) {
  return tx
    .selectFrom("profiles")
    .select(["cell", "region"])
    .where("member_no", "=", memberId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** What the search needs of a member; nothing of one that is suspended. */
export async function findListed(db: Db, memberId: number) {
  const row = await selectActiveMembers(db)
    .innerJoin("profiles as p", "p.member_no", "m.member_no")
    .select(["p.sex", "p.date_of_birth", "p.search_sex", "p.search_range_unit", "p.search_min_range"])
    .select(["p.search_max_range", "p.search_min_age", "p.search_max_age"])
    .where("m.member_no", "=", memberId)
    .executeTakeFirst();
  if (!row) return null;
  return {
    sex: row.sex,
    dateOfBirth: row.date_of_birth,
    filter: {
      sex: row.search_sex,
      unit: row.search_range_unit,
      minRange: row.search_min_range,
      maxRange: row.search_max_range,
      minAge: row.search_min_age,
      maxAge: row.search_max_age,
    },
  };
}

/** One row by its key. The lot of the day stays, so that only the first time of a day and another cell cost index entries. */
export async function upsertSearchable(
  db: Db,
  row: Omit<Insertable<DiscoveryTables["searchables"]>, "rev">,
): Promise<void> {
  const { member_no: _, region: __, ...changed } = row;
  await db
    .insertInto("searchables")
    .values({ ...row, rev: 0 })
    .onConflict((conflict) =>
      conflict.columns(["region", "member_no"]).doUpdateSet((eb) => ({
        ...changed,
        slot: eb
          .case()
          .when("searchables.active_day", "=", eb.ref("excluded.active_day"))
          .then(eb.ref("searchables.slot"))
          .else(eb.ref("excluded.slot"))
          .end(),
        rev: eb("searchables.rev", "+", 1),
      })),
    )
    .execute();
}

export async function deleteSearchable(db: Db, region: number, memberId: number): Promise<void> {
  await db.deleteFrom("searchables").where("region", "=", region).where("member_no", "=", memberId).execute();
}

/** One row by its key, and only where the day or a quarter of an hour has passed. */
export async function bumpActivity(
  db: Db,
  bump: { memberId: number; region: number; day: number; slot: number; now: Date; before: Date },
): Promise<void> {
  const { memberId, region, day, slot, now, before } = bump;
  await sql`
    update searchables set active_day = ${day}, last_active = ${now},
      slot = case when active_day < ${day} then ${slot} else slot end
    where region = ${region} and member_no = ${memberId} and (active_day < ${day} or last_active < ${before})`.execute(
    db,
  );
}
