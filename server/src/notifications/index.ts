export { addEntry, insertEntry } from "./outbox.sql.ts";
export { findLocalTime } from "./local-time.ts";
export { notifySoon } from "./scheduler.ts";
export { hasUnread } from "./unread.sql.ts";
