import type { CaseRule } from "@alcove/contract/cases";
import { logOperatorAction } from "../accounts/index.ts";
import { copyPicture, decideCase, listCasesOf, openCase, ranks, wasReportedLately } from "../cases/index.ts";
import { readMedia } from "../media/index.ts";
import { shareLockMember } from "../members/locks.ts";
import { findUserId } from "../members/user-ids.ts";
import { approveReview, findReview, listReviews, type PictureReview } from "../moderation/index.ts";
import type { AppContext } from "../platform/context.ts";
import { deciderOf } from "./cases.ts";
import type { Actor } from "./members.ts";

const MAX_LISTED = 200;
const MANY_REPORTS = 2;

type Risk = PictureReview["risk"] | "reports";
const RANKS: readonly Risk[] = ["near_banned", "reports", "new", "usual"];

export type NewPicture = Omit<PictureReview, "risk"> & { readonly risk: Risk };

export async function listPictures(ctx: AppContext, { operatorId, reason }: Actor): Promise<NewPicture[]> {
  await logOperatorAction(ctx, "pictures list", null, reason, operatorId);
  const reviews = await listReviews(ctx, MAX_LISTED);
  const listed: NewPicture[] = [];
  for (const review of reviews) listed.push({ ...review, risk: await riskOf(ctx, review) });
  return listed.toSorted((a, b) => RANKS.indexOf(a.risk) - RANKS.indexOf(b.risk));
}

async function riskOf(ctx: AppContext, { memberId, risk }: PictureReview): Promise<Risk> {
  if (risk === "near_banned") return risk;
  const received = (await listCasesOf(ctx, memberId)).filter(({ side }) => side === "received");
  return received.length >= MANY_REPORTS ? "reports" : risk;
}

/** The file that others get, never a clear version. Null if the picture or its member is gone. */
export async function showPicture(ctx: AppContext, by: Actor, id: string) {
  const review = await findAndLog(ctx, by, "pictures show", id);
  const userId = review && (await findUserId(ctx.db, ctx.encryption, review.memberId));
  const jpeg = review && (await readMedia(ctx, review.memberId, review.mediaId));
  return userId && jpeg ? { userId, jpeg } : null;
}

/** Returns false if the picture is gone, or another operator was first. */
export async function approvePicture(ctx: AppContext, by: Actor, id: string): Promise<boolean> {
  const review = await findAndLog(ctx, by, "pictures approve", id);
  return review !== null && approveReview(ctx, review);
}

/**
 * Opens a case with a decision, which an appeal can reverse. It takes effect at once, but after a report at the usual time,
 * so that it points to no reporter. Returns false if the picture is gone.
 */
export async function removePicture(
  ctx: AppContext,
  by: Actor,
  { id, rule, reason }: { id: string; rule: CaseRule; reason: string },
): Promise<boolean> {
  const review = await findAndLog(ctx, by, "pictures remove", id);
  if (!review) return false;
  const { memberId: accused, mediaId } = review;
  const isAtOnce = !(await wasReportedLately(ctx, accused));
  const evidence = [await copyPicture(ctx, accused, mediaId)];
  const opening = { kind: "operator", accused, rank: ranks.normal, evidence, isSeparate: true } as const;
  const caseNo = await openCase(ctx, opening, (tx) => shareLockMember(tx, accused));
  if (caseNo === null) return false;
  const decision = { decision: "remove", rule, reason, days: null, content: "picture" } as const;
  return decideCase(ctx, caseNo, decision, { by: await deciderOf(ctx, by.operatorId), isAtOnce });
}

async function findAndLog(
  ctx: AppContext,
  { operatorId, reason }: Actor,
  action: string,
  id: string,
): Promise<PictureReview | null> {
  const review = await findReview(ctx, id);
  await logOperatorAction(ctx, action, review, reason, operatorId);
  return review;
}
