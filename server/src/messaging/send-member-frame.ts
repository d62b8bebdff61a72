import { decryptFromEvent, findUserId } from "../members/user-ids.ts";
import type { AppContext } from "../platform/context.ts";
import { forgetReceiver } from "./find-matched-member.ts";

/** Sends a frame that names another member. Events do not, because the event bus may write them to a disk. */
export async function sendMemberFrame(
  ctx: AppContext,
  memberId: number,
  otherMemberId: number,
  frameFor: (otherUserId: string) => unknown,
): Promise<void> {
  if (!ctx.sockets.has(memberId)) return;
  const userId = await findUserId(ctx.db, ctx.encryption, otherMemberId);
  if (userId !== null) ctx.sockets.send(memberId, () => frameFor(userId));
}

export function pushEndedMatches({ encryption, eventBus, sockets }: AppContext): void {
  eventBus.subscribe("match_ended", async ({ memberId, otherMemberId, otherUserId }) => {
    sockets.closeConversation(memberId, otherMemberId);
    const user_id = await decryptFromEvent(encryption, otherMemberId, otherUserId);
    forgetReceiver({ memberId }, user_id);
    if (!sockets.has(memberId)) return;
    sockets.send(memberId, () => ({ match_ended: { user_id } }));
  });
}
