import { type Addresses, changeAddresses } from "../members/addresses.ts";
import { emailContext, isSameMailbox } from "../members/email-addresses.ts";
import { findIdentifiers } from "../members/find-member.ts";
import { setEmail } from "../members/members.sql.ts";
import type { AppContext } from "../platform/context.ts";
import type { Db, Tx } from "../platform/db/database.ts";
import { type ChangeRow, readChanges, setChange } from "./email-changes.sql.ts";

export interface Change extends Pick<ChangeRow, "change_no" | "changed_on" | "stop_until" | "is_stopped"> {
  readonly before: string | null;
  readonly after: string | null;
}

export interface State {
  readonly memberId: number;
  readonly current: string | null;
  readonly changes: readonly Change[];
}

const contextOf = (side: "before" | "after", memberId: number, changeNo: number): string =>
  `email_changes.encrypted_${side}:${memberId}:${changeNo}`;

/** Returns null for a missing member. Inside a transaction the member is locked. */
export async function readState(ctx: AppContext, memberId: number, db: Db = ctx.db): Promise<State | null> {
  const own = await findIdentifiers({ ...ctx, db }, memberId);
  return own && { memberId, current: own.email, changes: await readAllChanges(ctx, memberId, db) };
}

/** Addresses whose keys were destroyed are null. */
export async function readAllChanges(ctx: AppContext, memberId: number, db: Db): Promise<Change[]> {
  const decrypt = async (encrypted: Buffer | null, side: "before" | "after", changeNo: number) =>
    encrypted && ctx.encryption.decryptIfKept(encrypted, contextOf(side, memberId, changeNo));
  const changes: Change[] = [];
  for (const row of await readChanges(db, memberId)) {
    const { change_no, changed_on, stop_until, is_stopped } = row;
    const before = await decrypt(row.encrypted_before, "before", change_no);
    const after = await decrypt(row.encrypted_after, "after", change_no);
    changes.push({ change_no, changed_on, stop_until, is_stopped, before, after });
  }
  return changes;
}

/** Writes the difference of two states: index, mailboxes, held addresses, and the member's address. */
export async function writeState(tx: Tx, ctx: AppContext, before: State, after: State): Promise<void> {
  const { memberId } = after;
  await changeAddresses(tx, ctx, memberId, { before: addressesOf(before), after: addressesOf(after) });
  if (after.current !== null && after.current !== before.current)
    await setEmail(tx, memberId, await encryptEmail(ctx, memberId, after.current));
  for (const change of after.changes) {
    const { change_no, stop_until, is_stopped } = change;
    const same = before.changes.find((one) => one.change_no === change_no);
    if (same === change) continue;
    await setChange(tx, {
      member_no: memberId,
      change_no,
      stop_until,
      is_stopped,
      encrypted_before: await encryptHeld(ctx, memberId, change_no, "before", change.before),
      encrypted_after: await encryptHeld(ctx, memberId, change_no, "after", change.after),
    });
  }
}

const encryptEmail = (ctx: AppContext, memberId: number, email: string): Promise<Buffer> =>
  ctx.encryption.encrypt(memberId, email, emailContext(memberId));

export async function encryptHeld(
  ctx: AppContext,
  memberId: number,
  changeNo: number,
  side: "before" | "after",
  email: string | null,
): Promise<Buffer | null> {
  if (email === null) return null;
  return ctx.encryption.encrypt(memberId, email, contextOf(side, memberId, changeNo));
}

export function addressesOf({ current, changes }: Pick<State, "current" | "changes">): Addresses {
  const held = changes.flatMap(({ before, after }) => [before ?? [], after ?? []].flat());
  return { current, held };
}

export function afterStop({ changes }: State): string | null {
  return changes.find(({ after }) => after !== null)?.after ?? null;
}

export const released = (changes: readonly Change[]): Change[] =>
  changes.map((change) => Object.assign({}, change, { before: null, after: null, stop_until: null }));

export function isSameEmail({ encryption }: AppContext, one: string | null, other: string | null): boolean {
  if (one === null || other === null) return one === other;
  return isSameMailbox(encryption, one, other);
}
