import { type Db, runPrepared } from "../../platform/db/database.ts";

export async function readViewer(db: Db, memberId: number) {
  const query = db
    .selectFrom("profiles as p")
    .leftJoin("memberships as s", "s.member_no", "p.member_no")
    .leftJoin("decks as d", "d.viewer", "p.member_no")
    .select(["p.sex", "p.date_of_birth", "p.cell", "p.region", "p.search_sex", "p.search_range_unit"])
    .select(["p.search_min_range", "p.search_max_range", "p.search_min_age", "p.search_max_age"])
    .select([
      "s.paid_until",
      "d.fingerprint",
      "d.ids",
      "d.dealt",
      "d.exhausted",
      "d.empty_reason",
      "d.suggestion",
      "d.built_at",
    ])
    .where("p.member_no", "=", memberId);
  const [row] = await runPrepared(db, query.compile());
  if (!row) return null;
  const { ids, dealt, fingerprint, exhausted, empty_reason, suggestion, built_at } = row;
  return {
    paidUntil: row.paid_until,
    cell: row.cell,
    region: row.region,
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
    deck:
      ids === null
        ? null
        : {
            memberIds: ids.map(Number),
            dealt: dealt!.map(Number),
            fingerprint: fingerprint!,
            isExhausted: exhausted!,
            emptyReason: empty_reason!,
            suggestion,
            builtAt: built_at!,
          },
  };
}
