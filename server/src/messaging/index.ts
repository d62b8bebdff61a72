export { lowestIdAt } from "./message-id.ts";
export { createMessageWriter } from "./message-writer.ts";
export type { MessageWriter } from "./message-writer.ts";
export { hasAnyLeft, hasLeft } from "./hidden/hidden-conversations.sql.ts";
export { findMessageFrom } from "./hidden/hidden-conversations.ts";
export { readMessages } from "./read-messages.ts";
export { markRead } from "./read-receipts.ts";
export { findMatchedMember, findReceiver } from "./find-matched-member.ts";
export { sendMessage } from "./send-message.ts";
