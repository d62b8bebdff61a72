export { addEntry, insertEntry } from "./outbox.sql.ts";
export { findLocalTime } from "./local-time.ts";
export { NOTIFICATION_CHANGES } from "./rate-limit.ts";
export { notifySoon } from "./scheduler.ts";
export { hasUnread } from "./unread.sql.ts";
