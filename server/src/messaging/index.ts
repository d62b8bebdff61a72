export { hasUnread } from "./conversations.sql.ts";
export { findFriend, findReceiver } from "./friend.ts";
export { findMessageFrom, readMessages, sendMessage } from "./messages.ts";
export { markRead } from "./reading.ts";
export { messageStore, type StoreMessage } from "./storing.ts";
