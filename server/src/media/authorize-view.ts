import type { Deps } from "../platform/context.ts";
import { refuse } from "../platform/errors.ts";
import { openToken, type Ticket } from "./signed-urls.ts";
import { openMedia } from "./files.ts";
import * as rows from "./media.sql.ts";

/**
 * Who looks at an image, once everything that can take the right away has been asked; otherwise `media_not_found`,
 * whatever the reason.
 */
export async function admit(deps: Deps, kind: Ticket["kind"], token: string): Promise<Ticket> {
  const ticket = openToken(deps, kind, token);
  if (!ticket || !(await mayLook(deps, ticket))) throw refuse("media_not_found");
  return ticket;
}

/** The image of an admitted ticket. */
export async function look(deps: Deps, ticket: Ticket): Promise<Buffer> {
  const image = await openMedia(deps, ticket.ownerNo, ticket.mediaId);
  if (!image) throw refuse("media_not_found");
  return image;
}

/** Suspension and deletion end a member's sessions, so that a living one says that its account is active too. */
async function mayLook({ db, clock }: Deps, ticket: Ticket): Promise<boolean> {
  const { kind, viewerNo, session, ownerNo, otherNo, mediaId } = ticket;
  const acrossNo = viewerNo === ownerNo ? otherNo : ownerNo;
  if (session === null)
    return kind === "icon" && acrossNo === viewerNo && rows.isIconOf(db, ownerNo, mediaId);
  if (!(await rows.isSessionOf(db, viewerNo, session, clock.now()))) return false;
  if (kind === "icon") {
    return !(await rows.isBlocked(db, viewerNo, acrossNo)) && rows.isIconOf(db, ownerNo, mediaId);
  }
  if (kind === "clear") {
    const isShown = viewerNo === ownerNo || (await rows.isShownTo(db, ownerNo, viewerNo));
    return isShown && rows.isClearIconOf(db, ownerNo, mediaId);
  }
  if (viewerNo !== ownerNo && viewerNo !== otherNo) return false;
  // A block ends the match.
  if (!(await rows.isMatched(db, viewerNo, acrossNo)) || !(await rows.isActive(db, acrossNo))) return false;
  return rows.isMessageImageOf(db, ownerNo, mediaId);
}
