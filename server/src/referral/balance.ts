import type { Balance } from "@alcove/contract/referral";
import type { Db } from "../platform/db/database.ts";
import { readBalances, type Balances } from "./ledger.sql.ts";

export async function getBalance(db: Db, memberId: number, now: Date): Promise<Balance> {
  return presentBalance(await readBalances(db, memberId, now));
}

export function presentBalance({ available, received, pending, pendingUntil }: Balances): Balance {
  return {
    available: toDollars(available),
    received: toDollars(received),
    pending: toDollars(pending),
    pending_until: pendingUntil?.toISOString() ?? null,
  };
}

export function toDollars(cents: number): number {
  return cents / 100;
}
