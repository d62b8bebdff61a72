import { HOUR_MS } from "../platform/clock.ts";
import type { ParsedOf } from "@alcove/contract";
import type { muteConversation } from "@alcove/contract/messaging";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { updateMuted } from "./conversations.sql.ts";
import { prepareConversation } from "./message-writer.ts";
import { pairOf } from "./pair.ts";
import { findMatchedMember } from "./receivers.ts";

/** Shared with the preferences of notifications. */
export const NOTIFICATION_CHANGES = { name: "notification_changes", max: 60, windowMs: HOUR_MS };

/** The inbox row holds the choice, so that it ends with the match. A new match gets its row here. */
export async function setMuted(
  ctx: AppContext,
  me: CurrentMember,
  { friendId, muted }: ParsedOf<typeof muteConversation>,
): Promise<void> {
  const { memberId: other } = await findMatchedMember(ctx, me, friendId);
  if (await updateMuted(ctx.db, me.memberId, other, muted)) return;
  await prepareConversation(ctx, pairOf(me.memberId, other), me.memberId);
  await updateMuted(ctx.db, me.memberId, other, muted);
}
