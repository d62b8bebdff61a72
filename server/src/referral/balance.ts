import type { Balance } from "@alcove/contract/referral";
import type { Db } from "../platform/db/database.ts";
import { readSums, type Sums } from "./ledger.sql.ts";

/** What a member can transfer, and what PayPal has accepted for it so far. */
export async function balanceOf(db: Db, memberId: number): Promise<Balance> {
  return presentBalance(await readSums(db, memberId));
}

export function presentBalance({ available, received }: Sums): Balance {
  return { available: dollars(available), received: dollars(received) };
}

export function dollars(cents: number): number {
  return cents / 100;
}
