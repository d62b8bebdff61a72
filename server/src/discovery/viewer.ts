import type { Deps, MemberRef } from "../platform/context.ts";
import { refuse } from "../platform/errors.ts";
import type { Deck } from "./deck.ts";
import type { Seeker } from "./mutual-filter.ts";
import { readViewer } from "./viewer.sql.ts";

/** A member that looks for candidates. */
export interface Viewer extends Seeker {
  readonly no: number;
  readonly cell: number;
  readonly region: number;
  readonly isPaid: boolean;
  readonly deck: Deck | null;
}

/** Loads who looks for candidates; refuses whoever has never told a position. */
export async function loadViewer(deps: Deps, me: MemberRef): Promise<Viewer> {
  const found = await readViewer(deps.db, me.no);
  if (!found) throw refuse("login_required");
  const { cell, region, paidUntil, ...seeker } = found;
  if (cell === null || region === null) throw refuse("location_required");
  return {
    ...seeker,
    no: me.no,
    cell,
    region,
    isPaid: paidUntil !== null && paidUntil > deps.clock.now(),
  };
}
