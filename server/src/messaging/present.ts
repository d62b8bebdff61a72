import type { Dm, Quote } from "@alcove/contract/messaging";
import type { Party } from "@alcove/contract/users";
import { messageFileUrl } from "../media/index.ts";
import type { AppContext, Viewer } from "../platform/context.ts";
import { presentParty, type Person } from "../profiles/index.ts";
import { receiverOf, type Message } from "./message.ts";
import { presentReactions } from "./message-reactions.ts";
import { NO_QUOTES, presentQuote, type Quotes } from "./quotes.ts";

/** Returns null if one of the two members no longer exists. */
export function presentDm(
  ctx: AppContext,
  viewer: Viewer,
  message: Message,
  people: Map<number, Person>,
  quotes: Quotes = NO_QUOTES,
): Dm | null {
  return createPresenter(ctx, viewer, people, quotes)(message);
}

export function createPresenter(
  ctx: AppContext,
  viewer: Viewer,
  people: ReadonlyMap<number, Person>,
  quotes: Quotes = NO_QUOTES,
): (message: Message) => Dm | null {
  const parties = new Map<number, Party>();
  const partyOf = (memberId: number): Party | null => {
    const known = parties.get(memberId);
    const person = people.get(memberId);
    if (known || !person) return known ?? null;
    const party = presentParty(ctx, viewer, person);
    parties.set(memberId, party);
    return party;
  };
  return (message) => {
    const [sender, receiver] = [partyOf(message.senderMemberId), partyOf(receiverOf(message))];
    if (!sender || !receiver) return null;
    return toDm(ctx, viewer, message, {
      sender,
      receiver,
      reply: presentQuote(ctx, message, quotes, people),
    });
  };
}

function toDm(
  ctx: AppContext,
  viewer: Viewer,
  message: Message,
  { sender, receiver, reply }: { sender: Party; receiver: Party; reply: Quote | null },
): Dm {
  const { senderMemberId, clientId } = message;
  return {
    id: message.id,
    sender,
    receiver,
    description: message.text,
    ...presentFile(ctx, viewer, message),
    created_at: message.createdAt.toISOString(),
    reactions: presentReactions(message.reactions, viewer.memberId),
    ...(clientId !== null && viewer.memberId === senderMemberId ? { clientId } : {}),
    ...(reply && { reply }),
    ...(message.isUnsent ? { unsent: true as const } : {}),
  };
}

type FileFields = "file" | "voice" | "voice_seconds" | "voice_text" | "voice_peaks";

function presentFile(ctx: AppContext, viewer: Viewer, message: Message): Pick<Dm, FileFields> {
  const { senderMemberId: ownerMemberId, mediaId, voice } = message;
  const path =
    mediaId && messageFileUrl(ctx, viewer, { ownerMemberId, mediaId, otherMemberId: receiverOf(message) });
  if (!voice) return { file: path, voice: null, voice_seconds: null };
  const { seconds, text, peaks } = voice;
  return { file: null, voice: path, voice_seconds: seconds, voice_text: text, voice_peaks: [...peaks] };
}
