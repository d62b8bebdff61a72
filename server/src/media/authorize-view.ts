import type { AppContext } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { openToken, type Ticket } from "./signed-urls.ts";
import { openMedia } from "./files.ts";
import * as rows from "./media.sql.ts";

/**
 * Who looks at an image, once everything that can take the right away has been asked; otherwise `media_not_found`,
 * whatever the reason.
 */
export async function admit(ctx: AppContext, kind: Ticket["kind"], token: string): Promise<Ticket> {
  const ticket = openToken(ctx, kind, token);
  if (!ticket || !(await mayLook(ctx, ticket))) throw new ApiError("media_not_found");
  return ticket;
}

/** The image of an admitted ticket. */
export async function look(ctx: AppContext, ticket: Ticket): Promise<Buffer> {
  const image = await openMedia(ctx, ticket.ownerMemberId, ticket.mediaId);
  if (!image) throw new ApiError("media_not_found");
  return image;
}

/** Suspension and deletion end a member's sessions, so that a living one says that its account is active too. */
async function mayLook({ db, clock }: AppContext, ticket: Ticket): Promise<boolean> {
  const { kind, viewerMemberId, session, ownerMemberId, otherMemberId, mediaId } = ticket;
  const counterpartId = viewerMemberId === ownerMemberId ? otherMemberId : ownerMemberId;
  if (session === null)
    return kind === "icon" && counterpartId === viewerMemberId && rows.isIconOf(db, ownerMemberId, mediaId);
  if (!(await rows.isSessionOf(db, viewerMemberId, session, clock.now()))) return false;
  if (kind === "icon") {
    return (
      !(await rows.isBlocked(db, viewerMemberId, counterpartId)) && rows.isIconOf(db, ownerMemberId, mediaId)
    );
  }
  if (kind === "clear") {
    const isShown =
      viewerMemberId === ownerMemberId || (await rows.isShownTo(db, ownerMemberId, viewerMemberId));
    return isShown && rows.isClearIconOf(db, ownerMemberId, mediaId);
  }
  if (viewerMemberId !== ownerMemberId && viewerMemberId !== otherMemberId) return false;
  // A block ends the match.
  if (!(await rows.isMatched(db, viewerMemberId, counterpartId)) || !(await rows.isActive(db, counterpartId)))
    return false;
  return rows.isMessageImageOf(db, ownerMemberId, mediaId);
}
