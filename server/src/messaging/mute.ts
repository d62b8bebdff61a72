import type { ParsedOf } from "@alcove/contract";
import type { muteConversation } from "@alcove/contract/messaging";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { updateMuted } from "./conversations.sql.ts";
import { findMatchedMember } from "./find-matched-member.ts";
import { pairOf } from "./pair.ts";
import { prepareConversation } from "./plain-message-writer.ts";

/** The inbox row holds the choice, so that it ends with the match. */
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
