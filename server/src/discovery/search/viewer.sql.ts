import { sql } from "kysely";
import { type Db, runPrepared } from "../../platform/db/database.ts";

const viewerQuery = (db: Db, paidDayStart: Date, memberId: number) =>
  db
    .selectFrom("profiles as p")
    .leftJoin("memberships as s", "s.member_no", "p.member_no")
    .leftJoin("decks as d", "d.viewer", "p.member_no")
    .leftJoin("quota_days as q", (join) =>
      join
        .onRef("q.member_no", "=", "p.member_no")
        .on("q.day_start", "=", sql<Date>`${paidDayStart}::timestamptz`),
    )
    .select([
      "p.sex",
      "p.encrypted_profile",
      "p.cell",
      "p.region",
      "p.search_sex",
      "p.search_range_unit",
      "p.is_paused",
    ])
    .select(sql<boolean>`p.encrypted_areas is not null`.as("has_areas"))
    .select(["p.arrival", "p.arrival_zone", "p.card_day_start", "p.card_day_end"])
    .select(["p.search_min_range", "p.search_max_range", "p.search_min_age", "p.search_max_age"])
    .select([
      "s.paid_until_hour",
      "s.encrypted_paid_until",
      "d.fingerprint",
      "d.ids",
      "d.dealt",
      "d.empty_reason",
      "d.suggestion",
      "d.suggested_max_range",
      "d.newest_like_no",
      "d.built_at",
      "d.rev",
      "q.likes_used",
    ])
    .where("p.member_no", "=", memberId)
    .compile();

export async function readViewer(db: Db, memberId: number, paidDayStart: Date) {
  const [row] = await runPrepared(db, viewerQuery(db, paidDayStart, memberId));
  if (!row) return null;
  const { ids, dealt, fingerprint, empty_reason, suggestion } = row;
  const { paid_until_hour, encrypted_paid_until } = row;
  const { arrival, arrival_zone, card_day_start, card_day_end } = row;
  return {
    membership:
      paid_until_hour === null ? null : { paid_until_hour, encrypted_paid_until: encrypted_paid_until! },
    cell: row.cell,
    region: row.region,
    sex: row.sex,
    encryptedProfile: row.encrypted_profile,
    isPaused: row.is_paused,
    hasAreas: row.has_areas,
    likesUsed: row.likes_used ?? 0,
    cardDays: { arrival, arrival_zone, card_day_start, card_day_end },
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
            emptyReason: empty_reason!,
            suggestion: suggestion && { change: suggestion, maxRange: row.suggested_max_range },
            newestLikeNo: row.newest_like_no!,
            builtAt: row.built_at!,
            rev: row.rev!,
          },
  };
}
