export { hasUnread } from "./conversations.sql.ts";
export { createMessageWriter } from "./message-path.ts";
export type { MessageWriter } from "./message-writer.ts";
export { findMessageFrom } from "./hidden/hidden-conversations.ts";
export { NOTIFICATION_CHANGES } from "./mute.ts";
export { readMessages } from "./read-messages.ts";
export { markRead } from "./read-receipts.ts";
export { findMatchedMember, findReceiver } from "./receivers.ts";
export { sendMessage } from "./send-message.ts";
