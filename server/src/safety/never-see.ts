import { randomUUID } from "node:crypto";
import { NEVER_SEE } from "@alcove/contract/limits";
import { type NeverSeeEntry, type NeverSeePerson, parseNeverSee } from "@alcove/contract/safety";
import { findIdentifiers, findMemberId } from "../members/find-member.ts";
import { findMailboxMembers } from "../members/former-accounts.ts";
import { foldMailbox } from "../members/email-addresses.ts";
import { foldUserId } from "../members/user-ids.ts";
import { lockMember, shareLockMembers } from "../members/locks.ts";
import { DAY_MS, floorTo, MINUTE_MS, SECOND_MS } from "../platform/clock.ts";
import type { Db, Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { ApiError } from "../platform/errors.ts";
import { addMemberJob } from "../platform/jobs/member-jobs.ts";
import { KeyDestroyedError } from "../platform/keys/data-keys.ts";
import { insertEdge } from "./blocks.sql.ts";
import * as rows from "./never-see.sql.ts";

interface NamedPerson extends NeverSeePerson {
  readonly id: string;
}

/** What only the owner reads of an entry. */
interface Details {
  readonly note: string | null;
  /** In ms. */
  readonly at: number;
}

type Entries = { entries: NeverSeeEntry[] };

export async function entriesOf(ctx: AppContext, me: CurrentMember): Promise<Entries> {
  const found = await rows.readEntries(ctx.db, me.memberId);
  const entries = found.map(async (entry) => {
    const { note, at } = await openDetails(ctx, entry);
    const undoUntil = undoEnd(at);
    return {
      id: entry.entry_id,
      kind: entry.kind,
      note,
      added_at: entry.added_at.toISOString(),
      removable_at: removableAt(entry.added_at).toISOString(),
      undo_until: undoUntil > ctx.clock.now() ? undoUntil.toISOString() : null,
    };
  });
  return { entries: await Promise.all(entries) };
}

export async function exportEntries(tx: Tx, ctx: AppContext, me: CurrentMember): Promise<ExportPart> {
  const found = await rows.readEntries(tx, me.memberId);
  const entries = found.map(async (entry) => {
    const { note } = await openDetails(ctx, entry);
    return { kind: entry.kind, note, added_at: entry.added_at };
  });
  return { values: { never_see: await Promise.all(entries) } };
}

/** A job looks the people up, so that response and timing do not reveal which are members. */
export async function addEntries(
  ctx: AppContext,
  me: CurrentMember,
  { who, note = null }: { who: string; note?: string | null | undefined },
): Promise<Entries> {
  const people = (parseNeverSee(who) ?? []).map((person) => {
    const { kind, value } = person;
    return { kind, value, digest: digestOf(ctx, person) };
  });
  const requested = [...new Map(people.map((person) => [person.digest.toString("hex"), person])).values()];
  const now = ctx.clock.now();
  const sealed = new Map<Buffer, { entry_id: string; encrypted_details: Buffer }>();
  for (const { digest } of requested) {
    const key = { owner: me.memberId, entry_id: randomUUID() };
    const encrypted_details = await sealDetails(ctx, key, { note, at: now.getTime() });
    sealed.set(digest, { entry_id: key.entry_id, encrypted_details });
  }

  await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, me.memberId))) throw new ApiError("login_required");
    const known = await rows.readEntries(tx, me.memberId);
    const added = requested.filter(({ digest }) => !known.some((entry) => entry.digest.equals(digest)));
    if (added.length === 0) return;
    checkLimits(now, known, added.length);

    const named: NamedPerson[] = [];
    for (const { kind, value, digest } of added) {
      const own = sealed.get(digest)!;
      const added_at = floorTo(now, DAY_MS);
      await rows.insertEntry(tx, { owner: me.memberId, kind, digest, added_at, ...own });
      await rows.insertIndex(tx, { digest, owner: me.memberId });
      named.push({ id: own.entry_id, kind, value });
    }
    const { memberId: owner } = me;
    const encrypted = await ctx.encryption.encrypt(owner, JSON.stringify(named), peopleContext(owner));
    await ctx.jobs.add(tx, "resolve_never_see", { owner, encrypted: encrypted.toString("base64") });
  });
  return entriesOf(ctx, me);
}

/** @throws not_found */
export async function noteEntry(
  ctx: AppContext,
  me: CurrentMember,
  { id, note = null }: { id: string; note?: string | null | undefined },
): Promise<Entries> {
  const entry = await findEntry(ctx.db, me, id);
  const { at } = await openDetails(ctx, entry);
  const encrypted = await sealDetails(ctx, entry, { note, at });
  await ctx.db.transaction().execute((tx) => rows.updateDetails(tx, entry, encrypted));
  return entriesOf(ctx, me);
}

/**
 * A like given meanwhile counts as any old like.
 *
 * Locks no other member and runs the same statements whether or not the name belongs to one.
 *
 * @throws not_found
 * @throws never_see_too_new
 */
export async function removeEntry(ctx: AppContext, me: CurrentMember, id: string): Promise<Entries> {
  const now = ctx.clock.now();
  const { at } = await openDetails(ctx, await findEntry(ctx.db, me, id));
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, me.memberId))) throw new ApiError("login_required");
    const entry = await findEntry(tx, me, id);
    if (undoEnd(at) <= now && removableAt(entry.added_at) > now) throw new ApiError("never_see_too_new");
    const others = await rows.deleteEntry(tx, entry);
    await rows.deleteIndex(tx, { digest: entry.digest, owner: me.memberId });
    const remaining = await rows.readEntries(tx, me.memberId);
    const stillNamed = new Set(remaining.flatMap((one) => one.others));
    const freed = others.filter((other) => !stillNamed.has(other));
    await rows.deleteNamedEdges(tx, freed, me.memberId);
  });
  return entriesOf(ctx, me);
}

/** Share locks prevent deletions only: no request waits, so none reveals by its time that a name was found. */
export async function resolveEntries(
  ctx: AppContext,
  { owner, encrypted }: { owner: number; encrypted: string },
): Promise<void> {
  const opened = await decryptPeople(ctx, owner, encrypted);
  if (opened === null) return;
  const named: { id: string; other: number }[] = [];
  for (const { id, kind, value } of JSON.parse(opened) as NamedPerson[]) {
    const others =
      kind === "email" ? await findMailboxMembers(ctx, value) : [(await findMemberId(ctx, value)) ?? owner];
    named.push(...others.filter((other) => other !== owner).map((other) => ({ id, other })));
  }
  await ctx.db.transaction().execute(async (tx) => {
    const existing = await shareLockMembers(tx, [owner, ...named.map(({ other }) => other)]);
    if (!existing.has(owner)) return;
    for (const { id, other } of named) {
      if (!existing.has(other) || !(await rows.addOther(tx, owner, id, other))) continue;
      await insertEdge(tx, { owner: other, other: owner, dir: "m", at: floorTo(ctx.clock.now(), DAY_MS) });
    }
  });
}

/** The job repeats this for simultaneous entries. */
export async function applyToNewMember(
  tx: Tx,
  ctx: AppContext,
  { memberId, ...identifiers }: { memberId: number; userId: string; email: string | null },
): Promise<void> {
  await hideOwners(tx, ctx, memberId, digestsOf(ctx, identifiers));
  await addMemberJob(tx, ctx, "apply_never_see", memberId);
}

export async function applyToNewMemberAgain(ctx: AppContext, memberId: number): Promise<void> {
  const identifiers = await findIdentifiers(ctx, memberId);
  if (!identifiers) return;
  await ctx.db.transaction().execute((tx) => hideOwners(tx, ctx, memberId, digestsOf(ctx, identifiers)));
}

export async function deleteMemberEntries(tx: Tx, memberId: number): Promise<void> {
  const owners = await rows.readOwnersNaming(tx, memberId);
  await rows.deleteEntriesOf(tx, memberId);
  await rows.clearOther(tx, owners, memberId);
}

async function hideOwners(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  digests: readonly Buffer[],
): Promise<void> {
  const owners = (await rows.readOwners(tx, digests)).filter((owner) => owner !== memberId);
  if (owners.length === 0) return;
  const existing = await shareLockMembers(tx, [...owners, memberId]);
  if (!existing.has(memberId)) return;
  for (const owner of owners) {
    if (!existing.has(owner) || !(await rows.addOtherByDigest(tx, owner, digests, memberId))) continue;
    await insertEdge(tx, { owner: memberId, other: owner, dir: "m", at: floorTo(ctx.clock.now(), DAY_MS) });
  }
}

async function findEntry(db: Db, me: CurrentMember, id: string): Promise<rows.Entry> {
  const found = await rows.readEntries(db, me.memberId);
  const entry = found.find(({ entry_id }) => entry_id === id.toLowerCase());
  if (!entry) throw new ApiError("not_found");
  return entry;
}

type EntryKey = Pick<rows.Entry, "owner" | "entry_id">;

const detailsContext = ({ owner, entry_id }: EntryKey) => `never_see.encrypted_details:${owner}:${entry_id}`;

function sealDetails({ encryption }: AppContext, entry: EntryKey, details: Details): Promise<Buffer> {
  return encryption.encrypt(entry.owner, JSON.stringify(details), detailsContext(entry));
}

async function openDetails({ encryption }: AppContext, entry: rows.Entry): Promise<Details> {
  return JSON.parse(await encryption.decrypt(entry.encrypted_details, detailsContext(entry))) as Details;
}

async function decryptPeople(ctx: AppContext, owner: number, encrypted: string): Promise<string | null> {
  try {
    return await ctx.encryption.decrypt(Buffer.from(encrypted, "base64"), peopleContext(owner));
  } catch (error) {
    if (error instanceof KeyDestroyedError) return null;
    throw error;
  }
}

function checkLimits(now: Date, known: readonly rows.Entry[], added: number): void {
  if (known.length + added > NEVER_SEE.total) throw new ApiError("never_see_full");
  const today = floorTo(now, DAY_MS).getTime();
  const addedToday = known.filter(({ added_at }) => added_at.getTime() === today);
  if (addedToday.length + added <= NEVER_SEE.perDay) return;
  const waitMs = today + DAY_MS - now.getTime();
  throw new ApiError("too_many_requests", { retryAfterSeconds: Math.ceil(waitMs / SECOND_MS) });
}

/** Adds the whole day of the addition, so that no entry is removable too early. */
function removableAt(addedOn: Date): Date {
  return new Date(addedOn.getTime() + (1 + NEVER_SEE.minDays) * DAY_MS);
}

function undoEnd(at: number): Date {
  return new Date(at + NEVER_SEE.undoMinutes * MINUTE_MS);
}

/** A separate label keeps this digest unlinkable to the account's. */
function digestOf({ encryption }: AppContext, { kind, value }: NeverSeePerson): Buffer {
  const folded = kind === "email" ? foldMailbox(value) : foldUserId(value);
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
