import type { ParsedOf } from "@alcove/contract";
import type { saveConversation as saveConversationCall } from "@alcove/contract/messaging";
import { lockMatch } from "../discovery/index.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { ApiError } from "../platform/errors.ts";
import { findMatchedMember } from "./find-matched-member.ts";
import { sendMemberFrame } from "./send-member-frame.ts";
import * as rows from "./unwanted-pictures.sql.ts";

/** With the lock, no choice outlives the match. */
export async function saveConversation(
  ctx: AppContext,
  { memberId }: CurrentMember,
  { friendId, pictures }: ParsedOf<typeof saveConversationCall>,
): Promise<void> {
  const { memberId: other } = await findMatchedMember(ctx, { memberId }, friendId);
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMatch(tx, memberId, other))) throw new ApiError("conversation_not_found");
    if (pictures) await rows.deleteUnwanted(tx, memberId, other);
    else await rows.insertUnwanted(tx, memberId, other);
  });
  ctx.eventBus.publish("pictures_changed", { memberId, otherMemberId: other });
}

export async function startConversation(tx: Tx, { a, b }: { a: number; b: number }): Promise<void> {
  for (const [memberId, other] of [
    [a, b],
    [b, a],
  ] as const)
    if (!(await rows.wantsPictures(tx, memberId))) await rows.insertUnwanted(tx, memberId, other);
}

export function pushPictureChoices(ctx: AppContext): void {
  ctx.eventBus.subscribe("pictures_changed", async ({ memberId, otherMemberId }) => {
    for (const [to, about] of [
      [memberId, otherMemberId],
      [otherMemberId, memberId],
    ] as const)
      await sendMemberFrame(ctx, to, about, (user_id) => ({ pictures: { user_id } }));
  });
}
