import { randomInt, randomUUID } from "node:crypto";
import { NEVER_SEE } from "@alcove/contract/limits";
import { type NeverSeeEntry, type NeverSeePerson, readNeverSee } from "@alcove/contract/safety";
import { findAnyMember, findMemberByEmail, findNames, foldEmail, foldUserId } from "../accounts/index.ts";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Deps, Me } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { refuse } from "../platform/errors.ts";
import { deleteEdge, insertEdge, lockMember } from "./blocks.sql.ts";
import type { Party } from "./blocks.ts";
import { edgesOf, NAMED } from "./edges.ts";
import * as rows from "./never-see.sql.ts";

declare module "../platform/domain-events.ts" {
  interface Consequences {
    /** One member does not see another any more, who is not to notice. Both members' rows are locked. */
    member_hidden: { from: number; hidden: number };
  }
}

interface Named extends NeverSeePerson {
  readonly id: string;
}

declare module "../platform/jobs/jobs.ts" {
  interface JobPayloads {
    /** Looks whether those whom a member has named are members; `sealed` holds their names. */
    resolve_never_see: { owner: number; sealed: string };
    /** Looks again who has named a newcomer, should the two have happened at the same moment. */
    meet_newcomer: { no: number };
    sweep_never_see: unknown;
  }
}

type Entries = { entries: NeverSeeEntry[] };

/** What an address does to who named it follows this late, at a moment nobody can foresee. */
const DELAY_MS = { from: DAY_MS, to: 3 * DAY_MS } as const;
const SWEPT_AT_ONCE = 500;

/** A member's entries, newest first: of what kind they are and since when, never whom they name. */
export async function entriesOf(deps: Deps, me: Me): Promise<Entries> {
  const found = await rows.readEntries(deps.db, me.no);
  const living = found.filter(({ removed_at }) => removed_at === null);
  return {
    entries: living.map(({ entry_id, kind, added_at }) => ({
      id: entry_id,
      kind,
      added_at: added_at.toISOString(),
      removable_at: removableAt(added_at).toISOString(),
    })),
  };
}

/** A member's entries for its copy of its data: there is no more of them to tell. */
export async function exportEntries(tx: Tx, me: Me): Promise<ExportPart> {
  const found = await rows.readEntries(tx, me.no);
  return { values: { never_see: found.map(({ kind, added_at }) => ({ kind, added_at })) } };
}

/**
 * Names people who must never see the caller. All that depends on whether they are members happens in a job: neither
 * the answer nor its time tells. One who was named already is no new entry.
 */
export async function addEntries(deps: Deps, me: Me, who: string): Promise<Entries> {
  const people = (readNeverSee(who) ?? []).map((person) => {
    const { kind, value } = person;
    return { kind, value, digest: digestOf(deps, person) };
  });
  const wished = [...new Map(people.map((person) => [person.digest.toString("hex"), person])).values()];
  const now = deps.clock.now();

  await deps.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, me.no))) throw refuse("login_required");
    const known = await rows.readEntries(tx, me.no);
    const living = known.filter(({ removed_at }) => removed_at === null);
    const fresh = wished.filter(({ digest }) => !living.some((entry) => entry.digest.equals(digest)));
    if (fresh.length === 0) return;
    refuseTooMany(now, known, living.length, fresh.length);

    const named: Named[] = [];
    for (const { kind, value, digest } of fresh) {
      // A user id can be looked at anyway: nothing is learnt from it, and nothing waits.
      const due_at = kind === "handle" ? now : laterThan(now);
      const entry = { owner: me.no, entry_id: randomUUID(), kind, digest, added_at: now, due_at };
      const id = await rows.upsertEntry(tx, entry);
      await rows.insertIndex(tx, { digest, owner: me.no });
      named.push({ id, kind, value });
    }
    const sealed = deps.sealing.seal(JSON.stringify(named), namedContext(me.no)).toString("base64");
    await deps.jobs.add(tx, "resolve_never_see", { owner: me.no, sealed });
  });
  return entriesOf(deps, me);
}

/** Removes an entry that has stood long enough. What it did ends later, as unforeseeably as it began. */
export async function removeEntry(deps: Deps, me: Me, id: string): Promise<Entries> {
  const now = deps.clock.now();
  await deps.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, me.no))) throw refuse("login_required");
    const entry = await rows.readEntry(tx, me.no, id);
    if (!entry || entry.removed_at) throw refuse("not_found");
    if (removableAt(entry.added_at) > now) throw refuse("never_see_too_new");
    await rows.setDue(tx, entry, { removed_at: now, due_at: laterThan(now) });
    await rows.deleteIndex(tx, { digest: entry.digest, owner: me.no });
  });
  return entriesOf(deps, me);
}

/** Hides who has named others from those of them who are members; of user ids the rest follows at once. */
export async function resolveEntries(
  deps: Deps,
  { owner, sealed }: { owner: number; sealed: string },
): Promise<void> {
  const opened = deps.sealing.open(Buffer.from(sealed, "base64"), namedContext(owner));
  for (const { id, kind, value } of JSON.parse(opened) as Named[]) {
    const other = await (kind === "email" ? findMemberByEmail(deps, value) : findAnyMember(deps, value));
    if (other && other.no !== owner) await hideFrom(deps, owner, id, other.no);
    await finish(deps, owner, id);
  }
}

/**
 * Parts a newcomer from all who have named it, in the transaction that makes it: the two never see each other. The job
 * finds who named it at the same moment, when neither transaction saw the other.
 */
export async function meetNewcomer(
  tx: Tx,
  deps: Deps,
  { no, ...names }: { no: number; userId: string; email: string | null },
): Promise<void> {
  await partFromOwners(tx, deps, no, digestsOf(deps, names));
  await deps.jobs.add(tx, "meet_newcomer", { no });
}

export async function meetNewcomerAgain(deps: Deps, no: number): Promise<void> {
  const names = await findNames(deps, no);
  if (!names) return;
  const digests = digestsOf(deps, names);
  if ((await rows.readOwners(deps.db, digests)).length === 0) return;
  const tells = await deps.db.transaction().execute(async (tx) => {
    const other = await rows.lockParty(tx, no);
    const owners = other ? await partFromOwners(tx, deps, no, digests) : [];
    const afterwards: (() => void)[] = [];
    for (const by of owners) {
      afterwards.push(await deps.consequences.follow(tx, "pair_blocked", { by, other: other! }));
    }
    return afterwards;
  });
  for (const tell of tells) tell();
}

/** Removes all that a member who is being deleted has named, and its number from the entries of others. */
export async function forgetMember(
  tx: Tx,
  deps: Deps,
  no: number,
  names: { userId: string; email: string | null },
): Promise<void> {
  // Of two who are matched the named one's side knows nothing yet: those entries are found by the name.
  const namers = [...(await rows.readNamers(tx, no)), ...(await rows.readOwners(tx, digestsOf(deps, names)))];
  await rows.deleteEntriesOf(tx, no);
  await rows.clearOther(tx, [...new Set(namers)], no);
}

/** Does what is due: the second half of an entry, or the end of a removed one. */
export async function finishDue(deps: Deps): Promise<void> {
  const due = await rows.readDue(deps.db, deps.clock.now(), SWEPT_AT_ONCE);
  for (const { owner, entry_id } of due) await finish(deps, owner, entry_id);
}

/**
 * The first half: whom the owner named does not see it any more, and has never liked it. Two who are matched know each
 * other already; for them everything happens in the second half.
 */
async function hideFrom(deps: Deps, owner: number, id: string, other: number): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    if (!(await lockAll(tx, [owner, other]))) return;
    const entry = await rows.readEntry(tx, owner, id);
    if (!entry || entry.removed_at) return;
    await rows.setOther(tx, owner, id, other);
    if (await rows.isMatched(tx, owner, other)) return;
    await insertEdge(tx, { owner: other, other: owner, dir: "m", at: deps.clock.now() });
    await deps.consequences.follow(tx, "member_hidden", { from: other, hidden: owner });
  });
}

/** The second half of an entry that is due: neither sees the other, as after a block. Of a removed one: its end. */
async function finish(deps: Deps, owner: number, id: string): Promise<void> {
  const seen = await rows.readEntry(deps.db, owner, id);
  if (!seen) return;
  const { other: otherNo } = seen;
  const tell = await deps.db.transaction().execute(async (tx) => {
    const parties = await lockAll(tx, otherNo === null ? [owner] : [owner, otherNo]);
    const entry = parties && (await rows.readEntry(tx, owner, id));
    if (!parties || !entry?.due_at || entry.due_at > deps.clock.now()) return null;
    if (entry.other !== otherNo) return null;
    const [by, other] = parties;
    if (entry.removed_at) return endEntry(tx, deps, entry, by!, other);
    await rows.setDue(tx, entry, { due_at: null, removed_at: null });
    if (!other) return null;
    await part(tx, deps, owner, other.no);
    return deps.consequences.follow(tx, "pair_blocked", { by: by!, other });
  });
  tell?.();
}

/** The two may meet again after `PASS_DAYS`, unless another entry names the same member. */
async function endEntry(
  tx: Tx,
  deps: Deps,
  { owner, entry_id }: rows.Entry,
  by: Party,
  other: Party | undefined,
): Promise<(() => void) | null> {
  await rows.deleteEntry(tx, owner, entry_id);
  if (!other) return null;
  const left = await rows.readEntries(tx, owner);
  if (left.some((entry) => entry.other === other.no)) return null;
  for (const edge of edgesOf(owner, other.no, NAMED)) await deleteEdge(tx, edge);
  return deps.consequences.follow(tx, "pair_unblocked", { by, other });
}

async function part(tx: Tx, deps: Deps, owner: number, other: number): Promise<void> {
  const at = deps.clock.now();
  for (const edge of edgesOf(owner, other, NAMED)) await insertEdge(tx, { ...edge, at });
}

/** Answers those from whom the member was not parted before. */
async function partFromOwners(tx: Tx, deps: Deps, no: number, digests: readonly Buffer[]): Promise<Party[]> {
  const parted: Party[] = [];
  for (const ownerNo of await rows.readOwners(tx, digests)) {
    const owner = ownerNo === no ? null : await rows.lockParty(tx, ownerNo);
    if (!owner || !(await rows.setOtherByDigest(tx, ownerNo, digests, no))) continue;
    await part(tx, deps, ownerNo, no);
    parted.push(owner);
  }
  return parted;
}

/** Locks members by rising number, and answers them in the order that was asked for; null when one of them is gone. */
async function lockAll(tx: Tx, nos: readonly number[]): Promise<Party[] | null> {
  const locked = new Map<number, Party>();
  for (const no of nos.toSorted((a, b) => a - b)) {
    const party = await rows.lockParty(tx, no);
    if (!party) return null;
    locked.set(no, party);
  }
  return nos.map((no) => locked.get(no)!);
}

function refuseTooMany(now: Date, known: readonly rows.Entry[], living: number, fresh: number): void {
  if (living + fresh > NEVER_SEE.inAll) throw refuse("never_see_full");
  const dayAgo = now.getTime() - DAY_MS;
  const lately = known.map(({ added_at }) => added_at.getTime()).filter((at) => at > dayAgo);
  if (lately.length + fresh <= NEVER_SEE.aDay) return;
  const oldest = lately.at(-1) ?? dayAgo;
  throw refuse("too_many_requests", { retryAfterSeconds: Math.ceil((oldest - dayAgo) / SECOND_MS) });
}

function removableAt(addedAt: Date): Date {
  return new Date(addedAt.getTime() + NEVER_SEE.keptDays * DAY_MS);
}

function laterThan(now: Date): Date {
  return new Date(now.getTime() + randomInt(DELAY_MS.from / MINUTE_MS, DELAY_MS.to / MINUTE_MS) * MINUTE_MS);
}

/** A digest for this use alone: beside that of the account it says nothing. */
function digestOf({ sealing }: Deps, { kind, value }: NeverSeePerson): Buffer {
  const folded = kind === "email" ? foldEmail(value) : foldUserId(value);
  return sealing.blindIndex(folded, `never-see ${kind}`);
}

function digestsOf(deps: Deps, { userId, email }: { userId: string; email: string | null }): Buffer[] {
  const people: NeverSeePerson[] = [{ kind: "handle", value: userId }];
  if (email !== null) people.push({ kind: "email", value: email });
  return people.map((person) => digestOf(deps, person));
}

/** Names wait in a job's row for a moment. */
function namedContext(owner: number): string {
  return `jobs.resolve_never_see:${owner}`;
}
