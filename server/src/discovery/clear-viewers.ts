import type { Party } from "@alcove/contract/users";
import { findMember, findMemberNo } from "../accounts/index.ts";
import type { Deps, Me } from "../platform/context.ts";
import { refuse } from "../platform/errors.ts";
import { loadPeople, presentParty } from "../profiles/index.ts";
import * as rows from "./clear-viewers.sql.ts";

/**
 * Lets a match see the clear picture that the member keeps. Strangers, nobody and the blocked are refused alike.
 *
 * Picture and match are held meanwhile: whatever ends one of them comes before and is obeyed, or after and takes this
 * permission with it.
 */
export async function showClearIcon(deps: Deps, me: Me, userId: string): Promise<void> {
  const other = await findMember(deps, userId);
  if (!other) throw refuse("user_not_found");
  await deps.db.transaction().execute(async (tx) => {
    const isKept = await rows.holdClearIcon(tx, me.no);
    if (!(await rows.holdMatch(tx, me.no, other.no))) throw refuse("user_not_found");
    if (!isKept) throw refuse("clear_icon_missing");
    await rows.insertViewer(tx, me.no, other.no, deps.clock.now());
  });
}

/**
 * Takes the permission back: the very next look at the picture is refused. Harmless to repeat, and answered alike whoever
 * is named: a blocker, a nobody, somebody suspended.
 */
export async function hideClearIcon(deps: Deps, me: Me, userId: string): Promise<void> {
  const no = await findMemberNo(deps, userId);
  if (no !== null) await rows.deleteViewer(deps.db, me.no, no);
}

/** Whom the member shows its clear picture to, the latest first; the suspended are nobody while they are. */
export async function clearIconViewers(deps: Deps, me: Me): Promise<{ users: Party[] }> {
  const nos = await rows.readViewers(deps.db, me.no);
  const people = await loadPeople(deps, nos);
  const shown = nos.flatMap((no) => people.get(no) ?? []).filter(({ standing }) => standing === "active");
  return { users: shown.map((person) => presentParty(deps, me, person)) };
}
