import { type Insertable, sql } from "kysely";
import { selectActiveMembers } from "../../members/select-members.sql.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import type { DiscoveryTables } from "../tables.ts";
import { VISIT_DECAY } from "./chances.ts";

export function lockPosition(tx: Tx, memberId: number) {
  return tx
    .selectFrom("profiles")
    .select(["cell", "region", "sent_cell", "gps_updated_at", "location_precision"])
    .select(["cell_counted_at", "cell_changes", "cell_changed_on"])
    .where("member_no", "=", memberId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export type SearchProfile = NonNullable<Awaited<ReturnType<typeof readSearchProfile>>>;

export async function readSearchProfile(db: Db, memberId: number) {
  const row = await selectActiveMembers(db)
    .innerJoin("profiles as p", "p.member_no", "m.member_no")
    .select(["p.sex", "p.birth_month", "p.search_sex", "p.search_range_unit", "p.search_min_range"])
    .select(["p.search_max_range", "p.search_min_age", "p.search_max_age", "m.visited_on", "p.only_liked"])
    .select(sql<boolean>`p.encrypted_areas is not null`.as("has_areas"))
    .where("m.member_no", "=", memberId)
    .where("p.is_paused", "=", false)
    .where("p.limited_until", "is", null)
    .executeTakeFirst();
  if (!row) return null;
  return {
    sex: row.sex,
    birthMonth: row.birth_month,
    visitedOn: row.visited_on,
    onlyLiked: row.only_liked,
    hasAreas: row.has_areas,
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

type SearchRow = Insertable<DiscoveryTables["searchables"]>;
type KeptInputs = Pick<SearchRow, "gives" | "gets" | "presence" | "replies" | "shown_lately" | "shown_day">;

/**
 * The slot stays within a day, so that only a new day or another cell changes an index.
 *
 * @param inputs of a new row; an existing row keeps its own
 */
export async function upsertSearchable(
  db: Db,
  row: Omit<SearchRow, keyof KeptInputs>,
  inputs: KeptInputs,
): Promise<void> {
  const { member_no: _, region: __, ...changed } = row;
  await db
    .insertInto("searchables")
    .values({ ...row, ...inputs })
    .onConflict((conflict) =>
      conflict.columns(["region", "member_no"]).doUpdateSet((eb) => ({
        ...changed,
        slot: eb
          .case()
          .when("searchables.active_day", "=", eb.ref("excluded.active_day"))
          .then(eb.ref("searchables.slot"))
          .else(eb.ref("excluded.slot"))
          .end(),
      })),
    )
    .execute();
}

export async function findRegion(db: Db, memberId: number): Promise<number | null> {
  const row = await db
    .selectFrom("profiles")
    .select("region")
    .where("member_no", "=", memberId)
    .executeTakeFirst();
  return row?.region ?? null;
}

export async function deleteSearchable(db: Db, region: number, memberId: number): Promise<void> {
  await db.deleteFrom("searchables").where("region", "=", region).where("member_no", "=", memberId).execute();
}

/** Deletes the row of a region that the member left, and returns its inputs for the next row. */
export async function takeOrderInputs(
  db: Db,
  region: number,
  memberId: number,
): Promise<KeptInputs | undefined> {
  return db
    .deleteFrom("searchables")
    .where("region", "=", region)
    .where("member_no", "=", memberId)
    .returning(["gives", "gets", "presence", "replies", "shown_lately", "shown_day"])
    .executeTakeFirst();
}

export async function updateActivity(
  db: Db,
  activity: { memberId: number; region: number; day: number; slot: number },
): Promise<void> {
  const { memberId, region, day, slot } = activity;
  await sql`
    update searchables set active_day = ${day}, slot = ${slot}, presence = least(
      100, round(presence * power(${sql.lit(VISIT_DECAY)}, ${day}::int4 - active_day) + 100 * (1 - ${sql.lit(VISIT_DECAY)}))
    )::int2
    where region = ${region} and member_no = ${memberId} and active_day < ${day}`.execute(db);
}
