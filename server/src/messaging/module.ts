import {
  getDms,
  getLastDms,
  getReading,
  readDm,
  saveReading,
  sendDm,
  unsendDm,
} from "@alcove/contract/messaging";
import { route, routeWithSocket, type App } from "../platform/http/router.ts";
import { listConversations } from "./conversations.ts";
import { deliverMessages } from "./delivery.ts";
import { endConversation, endConversationsOf, forgetImages } from "./delete-conversation.ts";
import { exportMessages } from "./export.ts";
import { findFriend, findReceiver } from "./receivers.ts";
import { readMessages, sendMessage } from "./messages.ts";
import { sweepLinks } from "./link-rate-limit.ts";
import { markRead, tellOfReading } from "./read-receipts.ts";
import { chooseShowing, readShowing, tellOfShowing } from "./read-receipt-setting.ts";
import { registerSockets } from "./socket-routes.ts";
import { messageStore } from "./group-commit/message-writer.ts";
import { tellOfUnsent, unsendMessage } from "./unsend.ts";

/** Conversations: the calls, the sockets, and what a block or a deletion ends. */
export function registerMessaging(app: App): void {
  const { ctx } = app;
  const store = messageStore(ctx);
  route(app, getLastDms, ({ me }) => listConversations(ctx, me));
  route(app, getDms, ({ me, input }) => readMessages(ctx, me, input));
  routeWithSocket(app, sendDm, {
    limit: "messages",
    prepare: ({ me, input }) => findReceiver(ctx, me, input.receiverId),
    handle: async ({ me, input, over, prepared }) => ({
      dm: await sendMessage(ctx, store, me, { form: input, receiver: prepared, over }),
    }),
  });

  routeWithSocket(app, readDm, {
    prepare: ({ me, input }) => findFriend(ctx, me, input.friendId),
    handle: ({ me, input, prepared }) => markRead(ctx, me, prepared, input.dmId ?? null),
  });
  route(app, getReading, ({ me }) => readShowing(ctx.db, me.memberId));
  route(app, saveReading, ({ me, input }) => chooseShowing(ctx, me, input.shows_reading), {
    limit: "reading_changes",
  });
  route(app, unsendDm, ({ me, input }) => unsendMessage(ctx, me, input));

  registerSockets(app);
  deliverMessages(ctx);
  tellOfReading(ctx);
  tellOfShowing(ctx);
  tellOfUnsent(ctx);
  ctx.eventBus.subscribe("friend_lost", ({ memberId, friendMemberId, friendId }) => {
    ctx.sockets.send(memberId, () => ({ lost: { user_id: friendId } }));
    ctx.sockets.cutConversation(memberId, friendMemberId);
  });

  ctx.domainEvents.on("pair_blocked", (tx, { by, other }) =>
    endConversation(tx, ctx, by.memberId, other.memberId),
  );
  ctx.domainEvents.on("member_deleted", (tx, { memberId }) => endConversationsOf(tx, ctx, memberId));
  ctx.exports.add((tx, me) => exportMessages(tx, ctx, me));
  ctx.jobs.handle("forget_message_images", ({ images }) => forgetImages(ctx, images));
  ctx.jobs.handleEvery("17 * * * *", "sweep_links", () => sweepLinks(ctx));
}
