import { type Selectable, sql } from "kysely";
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

export async function updateLimit(tx: Tx, memberId: number, limited_until: Date | null): Promise<void> {
  await tx.updateTable("profiles").set({ limited_until }).where("member_no", "=", memberId).execute();
}

export async function readLimit(db: Db, memberId: number): Promise<Date | null> {
  const query = db.selectFrom("profiles").select("limited_until").where("member_no", "=", memberId);
  const [row] = await runPrepared(db, query.compile());
  return row?.limited_until ?? null;
}

/** Those whose messages, matches and cards are not announced: suspended, frozen or limited ones. */
export async function readQuiet(db: Db, memberIds: readonly number[]): Promise<Set<number>> {
  if (memberIds.length === 0) return new Set();
  const query = db
    .selectFrom("profiles")
    .select("member_no")
    .where("member_no", "=", sql<number>`any(${memberIds}::int8[])`)
    .where((is) => is.or([is("is_suspended", "=", true), is("limited_until", "is not", null)]));
  return new Set((await runPrepared(db, query.compile())).map(({ member_no }) => member_no));
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
