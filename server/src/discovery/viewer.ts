import type { AppContext, MemberRef } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import type { Deck } from "./deck.ts";
import type { Seeker } from "./mutual-filter.ts";
import { readViewer } from "./viewer.sql.ts";

/** A member that looks for candidates. */
export interface Viewer extends Seeker {
  readonly memberId: number;
  readonly cell: number;
  readonly region: number;
  readonly isPaid: boolean;
  readonly deck: Deck | null;
}

/** Loads who looks for candidates; refuses whoever has never told a position. */
export async function loadViewer(ctx: AppContext, me: MemberRef): Promise<Viewer> {
  const found = await readViewer(ctx.db, me.memberId);
  if (!found) throw new ApiError("login_required");
  const { cell, region, paidUntil, ...seeker } = found;
  if (cell === null || region === null) throw new ApiError("location_required");
  return {
    ...seeker,
    memberId: me.memberId,
    cell,
    region,
    isPaid: paidUntil !== null && paidUntil > ctx.clock.now(),
  };
}
