import { foldMailbox } from "../members/email-addresses.ts";
import type { PayPalIdentity } from "../integrations/paypal/payments.ts";
import type { AppContext } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { KeyDestroyedError } from "../platform/keys/data-keys.ts";
import { HANDLE_STEP } from "../platform/keys/encryption.ts";
import * as rows from "./paypal-accounts.sql.ts";

type Reader = Pick<AppContext, "db" | "encryption">;

const PAGE = 500;

/** Stores digests only. The caller holds the member's lock. */
export async function recordAccount(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  account: PayPalIdentity,
): Promise<void> {
  const marks = accountMarks(ctx, account);
  const stored = accountDigests(ctx, memberId, account).map(async (account_digest, i) => ({
    member_no: memberId,
    account_digest,
    encrypted_mark: await ctx.encryption.encryptBytes(
      memberId,
      marks[i]!,
      contextOf(memberId, account_digest),
      HANDLE_STEP,
    ),
  }));
  await rows.insertAccounts(tx, await Promise.all(stored));
}

export async function isOwnAccount(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  account: PayPalIdentity,
): Promise<boolean> {
  return rows.hasAccount(tx, memberId, accountDigests(ctx, memberId, account));
}

/** The same for all members, so that accounts can be compared. Readable only of suspended members. */
export function accountMarks({ encryption }: AppContext, { ids, emails }: PayPalIdentity): Buffer[] {
  return [
    ...ids.map((id) => encryption.blindIndex(id, "paypal account mark")),
    ...emails.map((email) => encryption.blindIndex(foldMailbox(email), "paypal email mark")),
  ];
}

export async function readAccountMarks(ctx: Reader, memberId: number): Promise<Buffer[]> {
  return (await readMarksOf(ctx, [memberId])).map(({ mark }) => mark);
}

/** The members who share a marked account. Decrypts the marks of all members: for a job only. */
export async function findSharedAccounts(ctx: Reader, marks: readonly Buffer[]): Promise<number[]> {
  const found = new Set<number>();
  if (marks.length === 0) return [];
  for (let after = 0; ;) {
    const owners = await rows.readOwners(ctx.db, after, PAGE);
    for (const { owner, mark } of await readMarksOf(ctx, owners))
      if (marks.some((one) => one.equals(mark))) found.add(owner);
    if (owners.length < PAGE) return [...found];
    after = owners.at(-1)!;
  }
}

/** Leaves out members who were deleted since. */
async function readMarksOf({ db, encryption }: Reader, members: readonly number[]) {
  const stored = await rows.readMarks(db, members);
  const read = stored.map(async ({ member_no: owner, account_digest, encrypted_mark }) => {
    const mark = await encryption
      .decryptBytes(encrypted_mark, contextOf(owner, account_digest))
      .catch(ignoreDeleted);
    return mark ? [{ owner, mark }] : [];
  });
  return (await Promise.all(read)).flat();
}

function ignoreDeleted(error: unknown): null {
  if (error instanceof KeyDestroyedError) return null;
  throw error;
}

/** The digests contain the member: the table does not show that two members share an account. */
function accountDigests(
  { encryption }: AppContext,
  memberId: number,
  { ids, emails }: PayPalIdentity,
): Buffer[] {
  return [
    ...ids.map((id) => encryption.blindIndex(`${memberId}:${id}`, "paypal_account_id")),
    ...emails.map((email) => encryption.blindIndex(`${memberId}:${foldMailbox(email)}`, "paypal_email")),
  ];
}

const contextOf = (memberId: number, digest: Buffer): string =>
  `paypal_accounts.encrypted_mark:${memberId}:${digest.toString("hex")}`;
