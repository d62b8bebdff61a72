import type { Tx } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
import { validationError } from "../platform/errors.ts";
import { emailDigest } from "./email-addresses.ts";
import { joinMailbox, leaveMailbox, mailboxDigest } from "./former-accounts.ts";
import * as rows from "./members.sql.ts";

/** Held addresses are reserved: they open nothing, and nobody else gets them. */
export interface Addresses {
  readonly current: string | null;
  readonly held: readonly string[];
}

/**
 * Writes the difference to the index and the counts of mailboxes. The member is locked.
 *
 * @throws account_exists for an address or mailbox that others fill
 */
export async function changeAddresses(
  tx: Tx,
  ctx: Pick<AppContext, "clock" | "encryption">,
  memberId: number,
  { before, after }: { before: Addresses; after: Addresses },
): Promise<void> {
  const [old, now] = [indexOf(ctx, before), indexOf(ctx, after)];
  for (const [hex, { digest, isHeld }] of inOrder(now)) {
    const known = old.get(hex);
    if (!known) {
      if (!(await rows.claimEmail(tx, digest, memberId))) throw validationError({ email: "account_exists" });
    }
    if (isHeld !== (known?.isHeld ?? false)) await rows.setAddressHeld(tx, digest, isHeld);
  }
  for (const [hex, { digest }] of inOrder(old)) if (!now.has(hex)) await rows.deleteEmail(tx, digest);

  const [left, joined] = [mailboxesOf(ctx, before), mailboxesOf(ctx, after)];
  for (const [hex, email] of inOrder(new Map([...left, ...joined]))) {
    if (left.has(hex) && joined.has(hex)) continue;
    if (left.has(hex)) await leaveMailbox(tx, ctx, email, memberId);
    else if (!(await joinMailbox(tx, ctx, email, memberId)))
      throw validationError({ email: "account_exists" });
  }
}

/** One order for all transactions prevents deadlocks. */
const inOrder = <Value>(entries: ReadonlyMap<string, Value>): [string, Value][] =>
  [...entries].toSorted(([one], [other]) => (one < other ? -1 : 1));

function indexOf({ encryption }: Pick<AppContext, "encryption">, { current, held }: Addresses) {
  const index = new Map<string, { digest: Buffer; isHeld: boolean }>();
  const add = (email: string, isHeld: boolean) => {
    const digest = emailDigest(encryption, email);
    index.set(digest.toString("hex"), { digest, isHeld });
  };
  for (const email of held) add(email, true);
  if (current !== null) add(current, false);
  return index;
}

const mailboxesOf = (ctx: Pick<AppContext, "encryption">, { current, held }: Addresses) =>
  new Map(
    [...held, ...(current === null ? [] : [current])].map((email) => [
      mailboxDigest(ctx, email).toString("hex"),
      email,
    ]),
  );
