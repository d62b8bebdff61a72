import type { Updateable } from "kysely";
import { type Db, runPrepared, type Tx } from "../platform/db/database.ts";
import type { CardDays } from "./card-day.ts";
import type { ProfilesTables } from "./tables.ts";

const CARD_DAY_COLUMNS = ["arrival", "arrival_zone", "card_day_start", "card_day_end"] as const;

export async function readCardDays(db: Db, memberId: number): Promise<CardDays | null> {
  const query = db.selectFrom("profiles").select(CARD_DAY_COLUMNS).where("member_no", "=", memberId);
  return (await runPrepared(db, query.compile()))[0] ?? null;
}

export function lockArrival(tx: Tx, memberId: number) {
  return tx
    .selectFrom("profiles")
    .select([...CARD_DAY_COLUMNS, "arrival_fixed_until"])
    .where("member_no", "=", memberId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function updateCardDays(
  tx: Tx,
  memberId: number,
  changed: Pick<Updateable<ProfilesTables["profiles"]>, keyof CardDays | "arrival_fixed_until">,
): Promise<void> {
  await tx.updateTable("profiles").set(changed).where("member_no", "=", memberId).execute();
}
