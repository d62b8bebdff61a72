import { RETENTION } from "@alcove/contract/retention";
import { lockMember } from "../members/locks.ts";
import { ceilTo, DAY_MS, HOUR_MS, utcDay } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
import { loadPeople } from "../profiles/index.ts";
import * as rows from "./sign-up-networks.sql.ts";

const MAX_LISTED = 200;
const PROMPT_SIGN_UPS = 5;

/** Members whom the demo creates have no network. Sign-ups of one network wait for each other from here on. */
export async function recordSignUp(
  tx: Tx,
  ctx: AppContext,
  { memberId, network }: { memberId: number; network: string | null },
): Promise<void> {
  if (network === null) return;
  const network_digest = ctx.encryption.blindIndex(network, "sign-up network");
  const now = ctx.clock.now();
  const signed_up_on = utcDay(now);
  let isCrowded = false;
  if (ctx.config.delaysCrowdedNetworks) {
    await rows.lockNetwork(tx, network_digest);
    isCrowded = (await rows.countSignUps(tx, network_digest, signed_up_on)) >= PROMPT_SIGN_UPS;
  }
  const waits_until = isCrowded ? ceilTo(new Date(now.getTime() + DAY_MS), HOUR_MS) : null;
  await rows.insertNetwork(tx, { network_digest, member_no: memberId, signed_up_on, waits_until });
}

/** The caller holds the locks of the members. */
export async function isWaiting(tx: Tx, ctx: AppContext, memberIds: readonly number[]): Promise<boolean> {
  return ctx.config.delaysCrowdedNetworks && rows.hasWaiting(tx, memberIds);
}

export async function endWaits(ctx: AppContext): Promise<void> {
  for (const memberId of await rows.readDue(ctx.db, ctx.clock.now()))
    await ctx.db.transaction().execute(async (tx) => {
      await lockMember(tx, memberId);
      await rows.endWait(tx, memberId);
      await ctx.domainEvents.emit(tx, "wait_ended", { memberId });
    });
}

/** Includes this member. Networks are kept for 30 days. */
export async function countSameNetwork(ctx: AppContext, memberId: number): Promise<number> {
  return (await findSameNetwork(ctx, memberId)).length;
}

/** Whether both signed up from one network, as far as it is known. */
export async function shareNetwork({ db }: AppContext, one: number, other: number): Promise<boolean> {
  const networks = await rows.readNetworksOf(db, one);
  const others = await rows.readNetworksOf(db, other);
  return networks.some((network) => others.some((digest) => digest.equals(network)));
}

export async function listSameNetwork(ctx: AppContext, memberId: number) {
  const found = await findSameNetwork(ctx, memberId);
  const people = await loadPeople(
    ctx,
    found.map(({ member_no }) => member_no),
  );
  return found.flatMap(({ member_no, signed_up_on: on }) => {
    const person = people.get(member_no);
    return person ? [{ userId: person.userId, isSuspended: person.isSuspended, on }] : [];
  });
}

export async function deleteOldNetworks(ctx: AppContext): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - RETENTION.signUpNetworkDays * DAY_MS);
  await rows.deleteNetworksBefore(ctx.db, utcDay(before));
}

async function findSameNetwork(ctx: AppContext, memberId: number) {
  return rows.readMembersOf(ctx.db, await rows.readNetworksOf(ctx.db, memberId), MAX_LISTED);
}
