import type { AppContext, MemberRef } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import type { Deck } from "../cards/deck.ts";
import type { Seeker } from "./mutual-filter.ts";
import { readViewer } from "./viewer.sql.ts";

export interface Viewer extends Seeker {
  readonly memberId: number;
  readonly cell: number;
  readonly region: number;
  readonly isPaid: boolean;
  readonly deck: Deck | null;
}

export async function loadViewer(ctx: AppContext, me: MemberRef): Promise<Viewer> {
  const row = await readViewer(ctx.db, me.memberId);
  if (!row) throw new ApiError("login_required");
  const { cell, region, paidUntil, ...seeker } = row;
  if (cell === null || region === null) throw new ApiError("location_required");
  return {
    ...seeker,
    memberId: me.memberId,
    cell,
    region,
    isPaid: paidUntil !== null && paidUntil > ctx.clock.now(),
  };
}
