import {
  getDms,
  getLastDms,
  getReading,
  readDm,
  saveReading,
  sendDm,
  unsendDm,
} from "@alcove/contract/messaging";
import { mount, mountLive, type App } from "../platform/http/router.ts";
import { listConversations } from "./conversations.ts";
import { deliverMessages } from "./delivery.ts";
import { endConversation, endConversationsOf, forgetImages } from "./delete-conversation.ts";
import { exportMessages } from "./export.ts";
import { findFriend, findReceiver } from "./receivers.ts";
import { readMessages, sendMessage } from "./messages.ts";
import { sweepLinks } from "./link-rate-limit.ts";
import { markRead, tellOfReading } from "./read-receipts.ts";
import { chooseShowing, readShowing, tellOfShowing } from "./read-receipt-setting.ts";
import { socketRoutes } from "./socket-routes.ts";
import { messageStore } from "./group-commit/message-writer.ts";
import { tellOfUnsent, unsendMessage } from "./unsend.ts";

/** Conversations: the calls, the sockets, and what a block or a deletion ends. */
export function messagingRoutes(app: App): void {
  const { deps } = app;
  const store = messageStore(deps);
  mount(app, getLastDms, ({ me }) => listConversations(deps, me));
  mount(app, getDms, ({ me, input }) => readMessages(deps, me, input));
  mountLive(app, sendDm, {
    limit: "messages",
    prepare: ({ me, input }) => findReceiver(deps, me, input.receiverId),
    handle: async ({ me, input, over, prepared }) => ({
      dm: await sendMessage(deps, store, me, { form: input, receiver: prepared, over }),
    }),
  });

  mountLive(app, readDm, {
    prepare: ({ me, input }) => findFriend(deps, me, input.friendId),
    handle: ({ me, input, prepared }) => markRead(deps, me, prepared, input.dmId ?? null),
  });
  mount(app, getReading, ({ me }) => readShowing(deps.db, me.no));
  mount(app, saveReading, ({ me, input }) => chooseShowing(deps, me, input.shows_reading), {
    limit: "reading_changes",
  });
  mount(app, unsendDm, ({ me, input }) => unsendMessage(deps, me, input));

  socketRoutes(app);
  deliverMessages(deps);
  tellOfReading(deps);
  tellOfShowing(deps);
  tellOfUnsent(deps);
  deps.live.on("friend_lost", ({ no, friendNo, friendId }) => {
    deps.sockets.send(no, () => ({ lost: { user_id: friendId } }));
    deps.sockets.cutConversation(no, friendNo);
  });

  deps.consequences.when("pair_blocked", (tx, { by, other }) => endConversation(tx, deps, by.no, other.no));
  deps.consequences.when("member_deleted", (tx, { no }) => endConversationsOf(tx, deps, no));
  deps.exports.add((tx, me) => exportMessages(tx, deps, me));
  deps.jobs.handle("forget_message_images", ({ images }) => forgetImages(deps, images));
  deps.jobs.handleEvery("17 * * * *", "sweep_links", () => sweepLinks(deps));
}
