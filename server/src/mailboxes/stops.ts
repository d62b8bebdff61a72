import type { chooseEmail as chooseEmailCall } from "@alcove/contract/mailboxes";
import type { ParsedOf } from "@alcove/contract";
import { RETENTION } from "@alcove/contract/retention";
import type { User } from "@alcove/contract/users";
import { endSessionsOf, publishSessionsEnded } from "../accounts/index.ts";
import { lockMember } from "../members/locks.ts";
import { areLoginsStopped, setLoginsStopped } from "../members/members.sql.ts";
import { DAY_MS, MINUTE_MS, utcDay } from "../platform/clock.ts";
import type { AppContext, CurrentMember, MemberRef } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { ApiError } from "../platform/errors.ts";
import { networkOf } from "../platform/security/client-network.ts";
import { presentOwnUser } from "../profiles/index.ts";
import {
  addressesOf,
  afterStop,
  isSameEmail,
  readAllChanges,
  readState,
  released,
  writeState,
} from "./addresses.ts";
import { changeAddresses } from "../members/addresses.ts";
import * as rows from "./email-changes.sql.ts";
import { forgetCodes } from "./email-changes.ts";
import { type Link, readLinkToken } from "./links.ts";
import { stopRequest } from "./requests.ts";

const LINKS_PER_NETWORK = { name: "email_links_per_network", max: 60, windowMs: 15 * MINUTE_MS };
const RELEASED_AT_ONCE = 200;

/** @throws link_expired, too_many_requests */
export async function openLink(ctx: AppContext, token: string, ip: string): Promise<Link> {
  await ctx.rateLimits.consume(LINKS_PER_NETWORK, networkOf(ip));
  const link = readLinkToken(ctx, token);
  if (!link) throw new ApiError("link_expired");
  return link;
}

/** Safe to repeat. @throws link_expired */
export async function undo(ctx: AppContext, token: string, ip: string): Promise<void> {
  const link = await openLink(ctx, token, ip);
  if (link.kind === "change") return stopChange(ctx, link);
  if (link.kind !== "request" || !(await stopRequest(ctx, link.memberId, link.requestId)))
    throw new ApiError("link_expired");
}

/**
 * The address before the change holds, but opens nothing: logins need another proof until the member has chosen an
 * address.
 */
async function stopChange(ctx: AppContext, { memberId, changeNo }: Link & { kind: "change" }): Promise<void> {
  const ended = await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, memberId))) throw new ApiError("link_expired");
    const state = (await readState(ctx, memberId, tx))!;
    const stopped = state.changes.find(({ change_no }) => change_no === changeNo);
    const isStopped = await areLoginsStopped(tx, memberId);
    if (stopped?.is_stopped && isStopped) return [];
    const now = ctx.clock.now();
    if (!stopped?.stop_until || stopped.stop_until <= now || stopped.before === null)
      throw new ApiError("link_expired");
    const { before: current } = stopped;
    const given = isStopped ? afterStop(state) : state.current;
    const after = isSameEmail(ctx, given, current) ? null : given;
    await writeState(tx, ctx, state, {
      memberId,
      current,
      changes: state.changes.map((change) => {
        if (change.change_no < changeNo) return change;
        const isThis = change.change_no === changeNo;
        const is_stopped = change.is_stopped || isThis;
        return { ...change, is_stopped, stop_until: null, before: null, after: isThis ? after : null };
      }),
    });
    await setLoginsStopped(tx, memberId, true);
    await forgetCodes(tx, ctx, [state.current, current]);
    return endSessionsOf(tx, memberId, now);
  });
  publishSessionsEnded(ctx, memberId, ended);
  ctx.log.info({ member: memberId }, "account stopped by the link of an old address");
}

export async function chooseEmail(
  ctx: AppContext,
  me: CurrentMember,
  { address }: ParsedOf<typeof chooseEmailCall>,
): Promise<{ user: User }> {
  const afterCommit = await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, me.memberId))) throw new ApiError("login_required");
    if (!(await areLoginsStopped(tx, me.memberId))) throw new ApiError("not_found");
    const state = (await readState(ctx, me.memberId, tx))!;
    const current = address === "after" ? (afterStop(state) ?? state.current) : state.current;
    await writeState(tx, ctx, state, { ...state, current, changes: released(state.changes) });
    await setLoginsStopped(tx, me.memberId, false);
    return ctx.domainEvents.emit(tx, "email_changed", { memberId: me.memberId });
  });
  afterCommit();
  return { user: await presentOwnUser(ctx, me) };
}

/** Releases addresses whose links have ended, and forgets changes that no longer count. */
export async function sweepChanges(ctx: AppContext): Promise<void> {
  const now = ctx.clock.now();
  for (let isFull = true; isFull;) {
    const due = await rows.readEnded(ctx.db, now, RELEASED_AT_ONCE);
    for (const memberId of due) await releaseEnded(ctx, memberId, now);
    isFull = due.length === RELEASED_AT_ONCE;
  }
  const before = new Date(now.getTime() - RETENTION.emailChangeDays * DAY_MS);
  await rows.deleteChangesBefore(ctx.db, utcDay(before));
}

async function releaseEnded(ctx: AppContext, memberId: number, now: Date): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, memberId))) return;
    const state = (await readState(ctx, memberId, tx))!;
    const changes = state.changes.map((change) =>
      change.stop_until && change.stop_until <= now ? { ...change, stop_until: null, before: null } : change,
    );
    await writeState(tx, ctx, state, { ...state, changes });
  });
}

export async function deleteChanges(
  tx: Tx,
  ctx: AppContext,
  { memberId, email }: MemberRef & { email: string | null },
): Promise<void> {
  const changes = await readAllChanges(ctx, memberId, tx);
  const before = addressesOf({ current: email, changes });
  await changeAddresses(tx, ctx, memberId, { before, after: { current: email, held: [] } });
  await rows.deleteChangesOf(tx, memberId);
}
