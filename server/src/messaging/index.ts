export { hasUnread } from "./conversations.sql.ts";
export { findFriend, findReceiver } from "./receivers.ts";
export { findMessageFrom, readMessages, sendMessage } from "./messages.ts";
export { markRead } from "./read-receipts.ts";
export { messageStore, type StoreMessage } from "./group-commit/message-writer.ts";
