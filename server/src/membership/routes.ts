import type { App } from "../platform/mount.ts";
import { exportMembership } from "./memberships.ts";

/** Memberships have no calls of their own: the operator grants them, and they go with their member. */
export function membershipRoutes({ deps }: App): void {
  deps.exports.add((tx, me) => exportMembership(tx, me));
}
