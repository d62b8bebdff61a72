import { HOUR_MS } from "../platform/clock.ts";

/** Counts muted conversations too. */
export const NOTIFICATION_CHANGES = { name: "notification_changes", max: 60, windowMs: HOUR_MS };
