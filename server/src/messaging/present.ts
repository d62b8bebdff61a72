import type { Dm } from "@alcove/contract/messaging";
import { messageImageUrl } from "../media/index.ts";
import type { AppContext, Viewer } from "../platform/context.ts";
import { presentParty, type Person } from "../profiles/index.ts";
import { receiverOf, type Message } from "./message.ts";
import { NO_QUOTES, presentQuote, type Quotes } from "./quotes.ts";

/** Returns null if one of the two members no longer exists. */
export function presentDm(
  ctx: AppContext,
  viewer: Viewer,
  message: Message,
  people: Map<number, Person>,
  quotes: Quotes = NO_QUOTES,
): Dm | null {
  const { senderMemberId, mediaId, clientId } = message;
  const receiverMemberId = receiverOf(message);
  const sender = people.get(senderMemberId);
  const receiver = people.get(receiverMemberId);
  if (!sender || !receiver) return null;
  const reply = presentQuote(message, quotes, people);
  return {
    id: message.id,
    sender: presentParty(ctx, viewer, sender),
    receiver: presentParty(ctx, viewer, receiver),
    description: message.text,
    file:
      mediaId &&
      messageImageUrl(ctx, viewer, {
        ownerMemberId: senderMemberId,
        mediaId,
        otherMemberId: receiverMemberId,
      }),
    created_at: message.createdAt.toISOString(),
    ...(clientId !== null && viewer.memberId === senderMemberId ? { clientId } : {}),
    ...(reply && { reply }),
    ...(message.isUnsent ? { unsent: true as const } : {}),
  };
}
