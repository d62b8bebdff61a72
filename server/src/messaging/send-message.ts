import type { ParsedOf } from "@alcove/contract";
import type { Dm, sendDm } from "@alcove/contract/messaging";
import { deleteMedia, storeMessageImage, storeVoiceNote } from "../media/index.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { publishMessage } from "./deliver-messages.ts";
import type { Attachment, Draft, Stored } from "./message.ts";
import type { MessageWriter } from "./message-writer.ts";
import { prepareConversation } from "./plain-message-writer.ts";
import { pairOf } from "./pair.ts";
import { presentDm } from "./present.ts";
import { findQuotable, findQuotableNote, loadQuotes, quotesOf } from "./quotes.ts";
import { areUnwanted } from "./unwanted-pictures.sql.ts";
import { findMatchedMember, type Receiver } from "./find-matched-member.ts";

interface Sending {
  readonly input: ParsedOf<typeof sendDm>;
  readonly receiver: Receiver;
}

/** Returns the stored message if the sender repeats a `clientId`. */
export async function sendMessage(
  ctx: AppContext,
  writer: MessageWriter,
  me: CurrentMember,
  { input, receiver: { other, people } }: Sending,
): Promise<Dm> {
  const text = input.description ?? null;
  const hasFile = Boolean(input.file ?? input.voice);
  if (text === null || hasFile) await findMatchedMember(ctx, me, input.receiverId);
  if (text === null && !hasFile) throw new ApiError("empty_message");
  if (input.file && input.voice)
    throw new ApiError("invalid_input", { errors: { voice: ["not_with_others"] } });
  if (input.file && (await areUnwanted(ctx.db, other.memberId, me.memberId)))
    throw new ApiError("pictures_unwanted");

  const pair = pairOf(me.memberId, other.memberId);
  const findKey = () => prepareConversation(ctx, pair, me.memberId);
  const attachment = await storeAttachment(ctx, me, input, findKey);
  const quoted = input.replyId ? await findQuotable(ctx, pair, input.replyId) : null;
  const draft: Draft = {
    pair,
    senderMemberId: me.memberId,
    clientId: input.clientId?.toLowerCase() ?? null,
    text,
    ...attachment,
    replyId: quoted?.id ?? findQuotableNote(ctx, people.get(other.memberId), input.postId),
    isQuiet: people.get(me.memberId)?.isLimited === true,
  };
  const { message, previousId, isNew } = await storeOrDeleteFile(ctx, writer, draft);
  const quotes = isNew ? quotesOf(quoted ? [quoted] : []) : await loadQuotes(ctx, [message]);
  // Repeated messages too: the process that stored it may have died before this line.
  publishMessage(ctx, { message, people, quotes }, previousId);

  const dm = presentDm(ctx, me, message, people, quotes);
  if (!dm) throw new ApiError("conversation_not_found");
  return dm;
}

async function storeAttachment(
  ctx: AppContext,
  { memberId }: CurrentMember,
  { file, voice, voice_text }: Sending["input"],
  findKey: () => Promise<number>,
): Promise<Attachment & Pick<Draft, "keyId">> {
  if (voice) {
    const { seconds, peaks, ...stored } = await storeVoiceNote(ctx, memberId, voice, findKey);
    return { ...stored, voice: { seconds, peaks, text: voice_text ?? null } };
  }
  if (file) return { ...(await storeMessageImage(ctx, memberId, file, findKey)), voice: null };
  return { mediaId: null, voice: null, keyId: null };
}

async function storeOrDeleteFile(ctx: AppContext, writer: MessageWriter, draft: Draft): Promise<Stored> {
  let isInUse = false;
  try {
    const stored = await writer.store(draft);
    isInUse = stored.isNew;
    return stored;
  } finally {
    if (draft.mediaId !== null && !isInUse) await deleteMedia(ctx, draft.senderMemberId, draft.mediaId);
  }
}
