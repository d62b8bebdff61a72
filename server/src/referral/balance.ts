import type { Balance } from "@alcove/contract/referral";
import type { Db } from "../platform/db/database.ts";
import { readBalances, type Balances } from "./ledger.sql.ts";

export async function getBalance(db: Db, memberId: number): Promise<Balance> {
  return presentBalance(await readBalances(db, memberId));
}

export function presentBalance({ available, received }: Balances): Balance {
  return { available: toDollars(available), received: toDollars(received) };
}

export function toDollars(cents: number): number {
  return cents / 100;
}
