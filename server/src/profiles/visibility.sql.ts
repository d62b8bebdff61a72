import type { Selectable } from "kysely";
import { selectMembers } from "../members/select-members.sql.ts";
import { type Db, runPrepared, type Tx } from "../platform/db/database.ts";
import type { ProfilesTables } from "./tables.ts";

export type Visibility = Pick<
  Selectable<ProfilesTables["profiles"]>,
  "is_paused" | "paused_until" | "only_liked"
>;

export async function lockVisibility(tx: Tx, memberId: number): Promise<Visibility | undefined> {
  return await tx
    .selectFrom("profiles")
    .select(["is_paused", "paused_until", "only_liked"])
    .where("member_no", "=", memberId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function updateVisibility(tx: Tx, memberId: number, visibility: Visibility): Promise<void> {
  await tx.updateTable("profiles").set(visibility).where("member_no", "=", memberId).execute();
}

export async function isPaused(db: Db, memberId: number): Promise<boolean> {
  const query = db.selectFrom("profiles").select("is_paused").where("member_no", "=", memberId);
  const [row] = await runPrepared(db, query.compile());
  return row?.is_paused ?? false;
}

export function findPausesUntil(db: Db, day: string) {
  return selectMembers(db)
    .innerJoin("profiles as p", "p.member_no", "m.member_no")
    .select(["p.member_no", "p.paused_until", "m.time_zone"])
    .where("p.paused_until", "<=", day)
    .execute();
}
