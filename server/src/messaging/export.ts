import { readUserIds } from "../members/user-ids.ts";
import { exportedName } from "../media/index.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { readChatSettings } from "./chat-settings.ts";
import { readInbox, type InboxRow } from "./conversations.sql.ts";
import { decryptMessage } from "./message.ts";
import { messagesOfSender, reactedAfter } from "./messages.sql.ts";
import { pairOf } from "./pair.ts";
import { readUnwanted } from "./unwanted-pictures.sql.ts";

const PAGE_SIZE = 200;
const MIN_ID = "00000000-0000-0000-0000-000000000000";

/** Received messages belong to the other members. */
export async function exportMessages(tx: Tx, ctx: AppContext, me: CurrentMember): Promise<ExportPart> {
  const inbox = await readInbox(tx, me.memberId);
  const userIds = await readUserIds(
    tx,
    ctx.encryption,
    inbox.map(({ other_no }) => other_no),
  );
  const unwanted = await readUserIds(tx, ctx.encryption, await readUnwanted(tx, me.memberId));
  return {
    values: { ...(await readChatSettings(tx, me.memberId)), no_pictures_from: [...unwanted.values()] },
    lists: {
      messages_sent: () => sentMessages(ctx, me, inbox, userIds),
      reactions: () => ownReactions(ctx, me, inbox, userIds),
    },
  };
}

/** Ends at the snapshot of the inbox: ids grow in commit order. */
async function* sentMessages(
  ctx: AppContext,
  me: CurrentMember,
  inbox: readonly InboxRow[],
  userIds: ReadonlyMap<number, string>,
): AsyncGenerator {
  for (const { other_no, last_message_id: until } of inbox) {
    if (until === null) continue;
    const pair = pairOf(me.memberId, other_no);
    for (let after = MIN_ID; ;) {
      const page = await messagesOfSender(ctx.db, pair.key, me.memberId, { after, until }, PAGE_SIZE);
      for (const row of page) {
        const { id, text, mediaId, voice, createdAt } = await decryptMessage(ctx, pair, row);
        const file = mediaId && exportedName(mediaId, { isVoice: voice !== null });
        const content = voice
          ? { voice: file, voice_seconds: voice.seconds, voice_text: voice.text }
          : { picture: file };
        yield { id, to: userIds.get(other_no), at: createdAt, text, ...content };
      }
      if (page.length < PAGE_SIZE) break;
      after = page.at(-1)!.message_id;
    }
  }
}

async function* ownReactions(
  ctx: AppContext,
  { memberId }: CurrentMember,
  inbox: readonly InboxRow[],
  userIds: ReadonlyMap<number, string>,
): AsyncGenerator {
  for (const { other_no } of inbox) {
    const pair = pairOf(memberId, other_no);
    for (let after = 0; ;) {
      const page = await reactedAfter(ctx.db, pair.key, after, PAGE_SIZE);
      for (const row of page) {
        const message = await decryptMessage(ctx, pair, row);
        const reaction = message.reactions.get(memberId);
        if (reaction) yield { id: message.id, to: userIds.get(other_no), reaction };
      }
      if (page.length < PAGE_SIZE) break;
      after = page.at(-1)!.reacted_no!;
    }
  }
}
