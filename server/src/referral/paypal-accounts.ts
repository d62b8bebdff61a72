import { foldMailbox } from "../members/email-addresses.ts";
import type { PayPalIdentity } from "../integrations/paypal/payments.ts";
import type { AppContext } from "../platform/context.ts";
import type { Db, Tx } from "../platform/db/database.ts";
import * as rows from "./paypal-accounts.sql.ts";

/** Stores digests only. The caller holds the member's lock. */
export async function recordAccount(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  account: PayPalIdentity,
): Promise<void> {
  await rows.insertAccounts(tx, memberId, accountDigests(ctx, memberId, account));
}

export async function isOwnAccount(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  account: PayPalIdentity,
): Promise<boolean> {
  return rows.hasAccount(tx, memberId, accountDigests(ctx, memberId, account));
}

export async function readAccountDigests(db: Db, memberId: number): Promise<Buffer[]> {
  return rows.readAccounts(db, memberId);
}

/** The digests contain the member: the table does not show that two members share an account. */
export function accountDigests(
  { encryption }: AppContext,
  memberId: number,
  { ids, emails }: PayPalIdentity,
): Buffer[] {
  return [
    ...ids.map((id) => encryption.blindIndex(`${memberId}:${id}`, "paypal_account_id")),
    ...emails.map((email) => encryption.blindIndex(`${memberId}:${foldMailbox(email)}`, "paypal_email")),
  ];
}
