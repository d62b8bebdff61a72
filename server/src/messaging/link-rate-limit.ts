import { RETENTION } from "@alcove/contract/retention";
import { lockNewMember } from "../members/locks.ts";
import { DAY_MS, floorTo, HOUR_MS } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { ApiError } from "../platform/errors.ts";
import * as rows from "./link-rate-limit.sql.ts";
import { findLinks } from "./links.ts";
import { receiverOf, wordsOf, type Draft } from "./message.ts";

/** The age of a new account, and the life of a record. */
const PERIOD_MS = RETENTION.sentLinkDays * DAY_MS;
/** Limits the day's receivers who have never written back. */
const RECEIVERS_OF_ANY_LINK = 5;
const RECEIVERS_OF_ONE_LINK = 3;

const LINKS_MAX = 20;

export function findLimitedLinks({ config }: AppContext, text: string | null): readonly string[] {
  return text === null || !config.hasRateLimits ? [] : findLinks(text).slice(0, LINKS_MAX);
}

/** Locks a new sender first, so that concurrent messages are counted one after the other. */
export async function lockForLinkLimit(tx: Tx, ctx: AppContext, draft: Draft): Promise<readonly string[]> {
  const { senderMemberId } = draft;
  const links = findLimitedLinks(ctx, wordsOf(draft));
  if (links.length === 0) return [];
  const since = floorTo(new Date(ctx.clock.now().getTime() - PERIOD_MS), DAY_MS);
  return (await lockNewMember(tx, senderMemberId, since)) ? links : [];
}

export async function limitLinks(
  tx: Tx,
  { encryption, clock }: AppContext,
  draft: Draft,
  links: readonly string[],
): Promise<void> {
  const sender = draft.senderMemberId;
  const receiver = receiverOf(draft);
  if (await rows.hasWritten(tx, draft.pair.key, receiver)) return;
  const now = clock.now();
  const sending = {
    member_no: sender,
    link_digests: links.map((link) => encryption.blindIndex(`${sender}\0${link}`, "sent link")),
    receiver_digest: encryption.blindIndex(`${sender}\0${receiver}`, "link receiver"),
  };
  const { ofAnyLink, ofOneLink } = await rows.countOtherReceivers(tx, sending, {
    daySince: hourBefore(now, DAY_MS),
    periodSince: hourBefore(now, PERIOD_MS),
  });
  if (ofAnyLink >= RECEIVERS_OF_ANY_LINK || ofOneLink >= RECEIVERS_OF_ONE_LINK)
    throw new ApiError("too_many_links");
  await rows.recordLinks(tx, sending, floorTo(now, HOUR_MS));
}

/** A record of that hour still counts: rounding shortens no limit. */
function hourBefore(now: Date, ms: number): Date {
  return floorTo(new Date(now.getTime() - ms), HOUR_MS);
}

export async function deleteOldSentLinks({ db, clock }: AppContext): Promise<void> {
  await rows.deleteSentLinksBefore(db, hourBefore(clock.now(), PERIOD_MS));
}
