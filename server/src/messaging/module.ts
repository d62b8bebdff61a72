import {
  getDms,
  getLastDms,
  getReading,
  muteConversation,
  reactToDm,
  readDm,
  saveConversation as saveConversationCall,
  saveReading,
  sendDm,
  showTyping,
  unsendDm,
} from "@alcove/contract/messaging";
import type { MemberRef } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { route, type App } from "../platform/http/router.ts";
import { readChatSettings, saveChatSettings } from "./chat-settings.ts";
import { conversationKeys } from "./conversations.sql.ts";
import { listConversations } from "./conversations.ts";
import { deleteConversationsWithoutKey, deleteMessageImages } from "./delete-conversation.ts";
import { deliverMessages } from "./deliver-messages.ts";
import { exportMessages } from "./export.ts";
import { destroyHiddenConversations, hideConversation } from "./hidden/hidden-conversations.ts";
import { leaveConversations } from "./hidden/left-conversations.ts";
import { deleteHiddenWithoutKey, hiddenKeys, hiddenMessageKeys } from "./hidden/hidden-conversations.sql.ts";
import { deleteOldSentLinks } from "./link-rate-limit.ts";
import { createMessageWriter } from "./message-writer.ts";
import { setMuted } from "./mute.ts";
import { pushReactions, react } from "./react.ts";
import { readMessages } from "./read-messages.ts";
import { pushReadReceiptSetting } from "./read-receipt-setting.ts";
import { markRead, pushReadReceipts } from "./read-receipts.ts";
import { findMatchedMember, findReceiver } from "./find-matched-member.ts";
import { pushEndedMatches } from "./send-member-frame.ts";
import { sendMessage } from "./send-message.ts";
import { registerSockets } from "./socket-routes.ts";
import { countTurns } from "./turns.ts";
import { pushTyping, showTypingTo } from "./typing.ts";
import { pushUnsentMessages, unsendMessage } from "./unsend.ts";
import { destroyUnsentMessages } from "./unsent-messages.ts";
import { deleteUnsentWithoutKey, unsentKeys } from "./unsent-messages.sql.ts";
import { pushPictureChoices, saveConversation, startConversation } from "./unwanted-pictures.ts";
import { deleteUnwanted, deleteUnwantedOf } from "./unwanted-pictures.sql.ts";

export function registerMessaging(app: App): void {
  const { ctx } = app;
  const writer = createMessageWriter(ctx);
  route(app, getLastDms, ({ me, lang }) => listConversations(ctx, me, lang));
  route(app, getDms, ({ me, input }) => readMessages(ctx, me, input));
  route(app, sendDm, async ({ me, input }) => {
    const receiver = await findReceiver(ctx, me, input.receiverId);
    return { dm: await sendMessage(ctx, writer, me, { input, receiver }) };
  });
  route(app, readDm, async ({ me, input }) => {
    await markRead(ctx, me, await findMatchedMember(ctx, me, input.friendId), input.dmId ?? null);
  });
  route(app, showTyping, async ({ me, input }) =>
    showTypingTo(ctx, me, await findMatchedMember(ctx, me, input.friendId)),
  );
  route(app, muteConversation, ({ me, input }) => setMuted(ctx, me, input));
  route(app, saveConversationCall, ({ me, input }) => saveConversation(ctx, me, input));
  route(app, getReading, ({ me }) => readChatSettings(ctx.db, me.memberId));
  route(app, saveReading, ({ me, input }) => saveChatSettings(ctx, me, input));
  route(app, unsendDm, ({ me, input }) => unsendMessage(ctx, me, input));
  route(app, reactToDm, ({ me, input }) => react(ctx, me, input));

  registerSockets(app);
  deliverMessages(ctx);
  pushReadReceipts(ctx);
  pushReadReceiptSetting(ctx);
  pushTyping(ctx);
  pushUnsentMessages(ctx);
  pushReactions(ctx);
  pushEndedMatches(ctx);
  pushPictureChoices(ctx);

  const end = async (tx: Tx, { by, other }: { by: MemberRef; other: MemberRef }) => {
    await deleteUnwanted(tx, by.memberId, other.memberId);
    await deleteUnwanted(tx, other.memberId, by.memberId);
    await hideConversation(tx, ctx, by.memberId, other.memberId);
  };
  ctx.domainEvents.on("match_made", (tx, pair) => startConversation(tx, pair));
  ctx.domainEvents.on("pair_blocked", end);
  ctx.domainEvents.on("pair_unmatched", end);
  ctx.encryption.keys.addUse(conversationKeys);
  ctx.encryption.keys.addUse(hiddenKeys);
  ctx.encryption.keys.addUse(hiddenMessageKeys);
  ctx.encryption.keys.addUse(unsentKeys);
  ctx.domainEvents.on("database_restored", async (tx) => {
    await deleteConversationsWithoutKey(tx, ctx);
    await deleteHiddenWithoutKey(tx);
    await deleteUnsentWithoutKey(tx);
  });
  ctx.domainEvents.on("member_deleted", async (tx, { memberId }) => {
    await deleteUnwantedOf(tx, memberId);
    await leaveConversations(tx, ctx, memberId);
  });
  ctx.domainEvents.on("account_handed_over", (tx, { memberId }) => leaveConversations(tx, ctx, memberId));
  ctx.personalDataExports.add((tx, me) => exportMessages(tx, ctx, me));
  ctx.jobs.handle("delete_message_images", ({ images }) => deleteMessageImages(ctx, images));
  ctx.jobs.handle("count_turns", () => countTurns(ctx));
  ctx.jobs.handle("delete_old_sent_links", () => deleteOldSentLinks(ctx));
  ctx.jobs.handle("destroy_unsent_messages", () => destroyUnsentMessages(ctx));
  ctx.jobs.handle("destroy_hidden_conversations", () => destroyHiddenConversations(ctx));
}
