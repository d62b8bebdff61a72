import { randomInt, randomUUID } from "node:crypto";
import { NEVER_SEE } from "@alcove/contract/limits";
import { type NeverSeeEntry, type NeverSeePerson, parseNeverSee } from "@alcove/contract/safety";
import {
  findAnyMember,
  findMemberByEmail,
  findIdentifiers,
  foldEmail,
  foldUserId,
  lockBoth,
  type LockedMember,
  lockMember,
  lockMembers,
} from "../accounts/index.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { ApiError } from "../platform/errors.ts";
import { deleteEdge, insertEdge } from "./blocks.sql.ts";
import type { BlockParty } from "./blocks.ts";
import { edgesOf, NAMED } from "./edges.ts";
import * as rows from "./never-see.sql.ts";

interface NamedPerson extends NeverSeePerson {
  readonly id: string;
}

type Entries = { entries: NeverSeeEntry[] };

/** The full effect of an entry follows after a random delay, so that its time does not reveal the cause. */
const DELAY_MS = { from: DAY_MS, to: 3 * DAY_MS } as const;
const SWEEP_BATCH = 500;

/** Returns kind and date of each entry, newest first, but never the name. */
export async function entriesOf(ctx: AppContext, me: CurrentMember): Promise<Entries> {
  const found = await rows.readEntries(ctx.db, me.memberId);
  const active = found.filter(({ removed_at }) => removed_at === null);
  return {
    entries: active.map(({ entry_id, kind, added_at }) => ({
      id: entry_id,
      kind,
      added_at: added_at.toISOString(),
      removable_at: removableAt(added_at).toISOString(),
    })),
  };
}

export async function exportEntries(tx: Tx, me: CurrentMember): Promise<ExportPart> {
  const found = await rows.readEntries(tx, me.memberId);
  return { values: { never_see: found.map(({ kind, added_at }) => ({ kind, added_at })) } };
}

/**
 * Adds people to the caller's never-see list. A job looks them up, so that response and timing do not reveal which of
 * them are members.
 */
export async function addEntries(ctx: AppContext, me: CurrentMember, who: string): Promise<Entries> {
  const people = (parseNeverSee(who) ?? []).map((person) => {
    const { kind, value } = person;
    return { kind, value, digest: digestOf(ctx, person) };
  });
  const requested = [...new Map(people.map((person) => [person.digest.toString("hex"), person])).values()];
  const now = ctx.clock.now();

  await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, me.memberId))) throw new ApiError("login_required");
    const known = await rows.readEntries(tx, me.memberId);
    const active = known.filter(({ removed_at }) => removed_at === null);
    const added = requested.filter(({ digest }) => !active.some((entry) => entry.digest.equals(digest)));
    if (added.length === 0) return;
    checkLimits(now, known, active.length, added.length);

    const named: NamedPerson[] = [];
    for (const { kind, value, digest } of added) {
      // Profiles are public by user id, so an immediate effect reveals nothing.
      const due_at = kind === "handle" ? now : delayToHideCause(now);
      const entry = { owner: me.memberId, entry_id: randomUUID(), kind, digest, added_at: now, due_at };
      const id = await rows.upsertEntry(tx, entry);
      await rows.insertIndex(tx, { digest, owner: me.memberId });
      named.push({ id, kind, value });
    }
    const encrypted = ctx.encryption
      .encrypt(JSON.stringify(named), peopleContext(me.memberId))
      .toString("base64");
    await ctx.jobs.add(tx, "resolve_never_see", { owner: me.memberId, encrypted });
  });
  return entriesOf(ctx, me);
}

/** Removes an entry after its minimum time. Its effect ends after a random delay. */
export async function removeEntry(ctx: AppContext, me: CurrentMember, id: string): Promise<Entries> {
  const now = ctx.clock.now();
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, me.memberId))) throw new ApiError("login_required");
    const entry = await rows.readEntry(tx, me.memberId, id);
    if (!entry || entry.removed_at) throw new ApiError("not_found");
    if (removableAt(entry.added_at) > now) throw new ApiError("never_see_too_new");
    await rows.setDue(tx, entry, { removed_at: now, due_at: delayToHideCause(now) });
    await rows.deleteIndex(tx, { digest: entry.digest, owner: me.memberId });
  });
  return entriesOf(ctx, me);
}

/**
 * Hides the owner from the named members at once. The second half follows for user ids at once, for addresses later.
 */
export async function resolveEntries(
  ctx: AppContext,
  { owner, encrypted }: { owner: number; encrypted: string },
): Promise<void> {
  const opened = ctx.encryption.decrypt(Buffer.from(encrypted, "base64"), peopleContext(owner));
  for (const { id, kind, value } of JSON.parse(opened) as NamedPerson[]) {
    const other = await (kind === "email" ? findMemberByEmail(ctx, value) : findAnyMember(ctx, value));
    if (other && other.memberId !== owner) await hideOwnerFrom(ctx, owner, id, other.memberId);
    await finish(ctx, owner, id);
  }
}

/**
 * Hides a new member and the owners of matching entries from each other. The job repeats this for entries that were
 * added at the same time.
 */
export async function applyToNewMember(
  tx: Tx,
  ctx: AppContext,
  { memberId, ...identifiers }: { memberId: number; userId: string; email: string | null },
): Promise<void> {
  await blockOwners(tx, ctx, memberId, digestsOf(ctx, identifiers));
  await ctx.jobs.add(tx, "apply_never_see", { memberId });
}

export async function applyToNewMemberAgain(ctx: AppContext, memberId: number): Promise<void> {
  const identifiers = await findIdentifiers(ctx, memberId);
  if (!identifiers) return;
  const digests = digestsOf(ctx, identifiers);
  if ((await rows.readOwners(ctx.db, digests)).length === 0) return;
  const callbacks = await ctx.db.transaction().execute(async (tx) => {
    const afterwards: (() => void)[] = [];
    for (const pair of await blockOwners(tx, ctx, memberId, digests)) {
      afterwards.push(await ctx.domainEvents.emit(tx, "pair_blocked", pair));
    }
    return afterwards;
  });
  for (const afterCommit of callbacks) afterCommit();
}

export async function deleteMemberEntries(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  identifiers: { userId: string; email: string | null },
): Promise<void> {
  // Matched members have no edge yet, so their entries are found by name.
  const owners = [
    ...(await rows.readOwnersNaming(tx, memberId)),
    ...(await rows.readOwners(tx, digestsOf(ctx, identifiers))),
  ];
  await rows.deleteEntriesOf(tx, memberId);
  await rows.clearOther(tx, [...new Set(owners)], memberId);
}

export async function finishDueEntries(ctx: AppContext): Promise<void> {
  const due = await rows.readDue(ctx.db, ctx.clock.now(), SWEEP_BATCH);
  for (const { owner, entry_id } of due) await finish(ctx, owner, entry_id);
}

/**
 * Hides the owner from the named member. Matched members already know each other, so `finish` does everything for
 * them.
 */
async function hideOwnerFrom(ctx: AppContext, owner: number, id: string, other: number): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockBoth(tx, owner, other))) return;
    const entry = await rows.readEntry(tx, owner, id);
    if (!entry || entry.removed_at) return;
    await rows.setOther(tx, owner, id, other);
    if (await rows.isMatched(tx, owner, other)) return;
    await insertEdge(tx, { owner: other, other: owner, dir: "m", at: ctx.clock.now() });
    await ctx.domainEvents.emit(tx, "member_hidden", { from: other, hidden: owner });
  });
}

/** Hides the two from each other when an entry is due, or ends a removed entry. */
async function finish(ctx: AppContext, owner: number, id: string): Promise<void> {
  const before = await rows.readEntry(ctx.db, owner, id);
  if (!before) return;
  const { other: otherMemberId } = before;
  const afterCommit = await ctx.db.transaction().execute(async (tx) => {
    const locked = await lockMembers(tx, otherMemberId === null ? [owner] : [owner, otherMemberId]);
    const by = locked.get(owner);
    const other = otherMemberId === null ? null : locked.get(otherMemberId);
    if (!by || other === undefined) return null;
    const entry = await rows.readEntry(tx, owner, id);
    if (!entry?.due_at || entry.due_at > ctx.clock.now() || entry.other !== otherMemberId) return null;
    if (entry.removed_at) return endEntry(tx, ctx, entry, by, other);
    await rows.setDue(tx, entry, { due_at: null, removed_at: null });
    if (!other) return null;
    await blockBothWays(tx, ctx, owner, other.memberId);
    return ctx.domainEvents.emit(tx, "pair_blocked", { by, other });
  });
  afterCommit?.();
}

/** The two may meet again after `PASS_DAYS`, unless another entry names the same member. */
async function endEntry(
  tx: Tx,
  ctx: AppContext,
  { owner, entry_id }: rows.Entry,
  by: BlockParty,
  other: BlockParty | null,
): Promise<(() => void) | null> {
  await rows.deleteEntry(tx, owner, entry_id);
  if (!other) return null;
  const remaining = await rows.readEntries(tx, owner);
  if (remaining.some((entry) => entry.other === other.memberId)) return null;
  for (const edge of edgesOf(owner, other.memberId, NAMED)) await deleteEdge(tx, edge);
  return ctx.domainEvents.emit(tx, "pair_unblocked", { by, other });
}

async function blockBothWays(tx: Tx, ctx: AppContext, owner: number, other: number): Promise<void> {
  const at = ctx.clock.now();
  for (const edge of edgesOf(owner, other, NAMED)) await insertEdge(tx, { ...edge, at });
}

/** Blocks a member and all owners of matching entries in both directions. Returns the new pairs. */
async function blockOwners(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  digests: readonly Buffer[],
): Promise<{ by: LockedMember; other: LockedMember }[]> {
  const owners = (await rows.readOwners(tx, digests)).filter((owner) => owner !== memberId);
  if (owners.length === 0) return [];
  const locked = await lockMembers(tx, [...owners, memberId]);
  const other = locked.get(memberId);
  if (!other) return [];

  const blocked: { by: LockedMember; other: LockedMember }[] = [];
  for (const owner of owners) {
    const by = locked.get(owner);
    if (!by || !(await rows.setOtherByDigest(tx, owner, digests, memberId))) continue;
    await blockBothWays(tx, ctx, owner, memberId);
    blocked.push({ by, other });
  }
  return blocked;
}

function checkLimits(now: Date, known: readonly rows.Entry[], active: number, added: number): void {
  if (active + added > NEVER_SEE.total) throw new ApiError("never_see_full");
  const dayAgo = now.getTime() - DAY_MS;
  const recent = known.map(({ added_at }) => added_at.getTime()).filter((at) => at > dayAgo);
  if (recent.length + added <= NEVER_SEE.perDay) return;
  const oldest = recent.at(-1) ?? dayAgo;
  throw new ApiError("too_many_requests", { retryAfterSeconds: Math.ceil((oldest - dayAgo) / SECOND_MS) });
}

function removableAt(addedAt: Date): Date {
  return new Date(addedAt.getTime() + NEVER_SEE.minDays * DAY_MS);
}

function delayToHideCause(now: Date): Date {
  return new Date(now.getTime() + randomInt(DELAY_MS.from / MINUTE_MS, DELAY_MS.to / MINUTE_MS) * MINUTE_MS);
}

/** A separate label keeps this digest unlinkable to the account's. */
function digestOf({ encryption }: AppContext, { kind, value }: NeverSeePerson): Buffer {
  const folded = kind === "email" ? foldEmail(value) : foldUserId(value);
  return encryption.blindIndex(folded, `never-see ${kind}`);
}

function digestsOf(ctx: AppContext, { userId, email }: { userId: string; email: string | null }): Buffer[] {
  const people: NeverSeePerson[] = [{ kind: "handle", value: userId }];
  if (email !== null) people.push({ kind: "email", value: email });
  return people.map((person) => digestOf(ctx, person));
}

function peopleContext(owner: number): string {
  return `jobs.resolve_never_see:${owner}`;
}
