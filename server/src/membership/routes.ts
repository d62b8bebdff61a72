import type { App } from "../platform/mount.ts";

/** Memberships have no calls of their own: the operator grants them, and they go with their member. */
export function membershipRoutes(_app: App): void {}
