export { findMessageFrom, readMessages, sendMessage } from "./messages.ts";
export { conversationTurns } from "./turns.ts";
