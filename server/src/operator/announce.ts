import { logOperatorAction } from "../accounts/index.ts";
import { announce, type Announcement } from "../announcements/index.ts";
import { findAnyMember } from "../members/find-member.ts";
import type { AppContext } from "../platform/context.ts";
import type { Actor } from "./members.ts";

interface Announced {
  readonly queued: number;
  readonly earlier: number;
  readonly unknown: readonly string[];
}

/** Logs first. Unknown user ids are left out: a member may have left since the list was written. */
export async function announceTo(
  ctx: AppContext,
  { operatorId, reason }: Actor,
  emails: Announcement,
  to: "all" | readonly string[],
): Promise<Announced> {
  const whom = to === "all" ? "all" : `${to.length} members`;
  await logOperatorAction(ctx, `announce to=${whom}`, null, reason, operatorId);
  if (to === "all") return { ...(await announce(ctx, emails, "all")), unknown: [] };
  const unknown: string[] = [];
  const memberIds = new Set<number>();
  for (const userId of to) {
    const member = await findAnyMember(ctx, userId);
    if (member) memberIds.add(member.memberId);
    else unknown.push(userId);
  }
  return { ...(await announce(ctx, emails, [...memberIds])), unknown };
}
