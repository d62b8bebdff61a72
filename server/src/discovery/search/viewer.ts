import type { AppContext, MemberRef } from "../../platform/context.ts";
import { isStoredPaid } from "../../membership/index.ts";
import { ApiError } from "../../platform/errors.ts";
import { type CardDays, decryptDateOfBirth } from "../../profiles/index.ts";
import type { Deck } from "../cards/deck.ts";
import { paidDay } from "../quotas.ts";
import type { Seeker } from "./mutual-filter.ts";
import { readViewer } from "./viewer.sql.ts";

export interface Viewer extends Seeker {
  readonly memberId: number;
  readonly cell: number;
  readonly region: number;
  readonly isPaused: false;
  readonly hasAreas: boolean;
  readonly isPaid: boolean;
  readonly deck: Deck | null;
  readonly likesUsed: number;
  readonly cardDays: CardDays;
}

interface PausedViewer extends Pick<Viewer, "isPaid" | "likesUsed"> {
  readonly isPaused: true;
}

/** A paused member needs no position. @throws location_required */
export async function loadViewer(ctx: AppContext, me: MemberRef): Promise<Viewer | PausedViewer> {
  const row = await readViewer(ctx.db, me.memberId, paidDay(ctx).start);
  if (!row) throw new ApiError("login_required");
  const { cell, region, membership, encryptedProfile, ...seeker } = row;
  const isPaid = await isStoredPaid(ctx, me.memberId, membership);
  if (row.isPaused) return { isPaused: true, isPaid, likesUsed: row.likesUsed };
  if (cell === null || region === null) throw new ApiError("location_required");
  return {
    ...seeker,
    memberId: me.memberId,
    dateOfBirth: await decryptDateOfBirth(ctx, me.memberId, encryptedProfile),
    cell,
    region,
    isPaid,
    isPaused: false,
  };
}
