import { lockNewMember } from "../accounts/index.ts";
import { DAY_MS } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext, MemberRef } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import * as rows from "./link-rate-limit.sql.ts";
import { linksIn } from "./links.ts";
import type { Pair } from "./pair.ts";

/** How long an account is new. Accounts that are made to spam are used up within days, or not at all. */
const NEW_MS = 7 * DAY_MS;
/**
 * To how many people who have never answered a new account may send links within a day, and one link within a week.
 * Whoever talks with somebody is not counted, and few have that many talks of one side on the first days.
 */
const RECEIVERS_OF_ANY_LINK = 5;
const RECEIVERS_OF_ONE_LINK = 3;

/** More links in one message are not looked at. */
const LINKS_MAX = 20;

/** Links of a message that may have to be counted. */
export interface Braked {
  readonly links: readonly string[];
}

/** The links of a text that may have to be counted; none where limits are off. */
export function linksToCount({ config }: AppContext, text: string | null): readonly string[] {
  return text === null || !config.hasRateLimits ? [] : linksIn(text).slice(0, LINKS_MAX);
}

/**
 * Begins the brake for a message of a new account with links, by locking the member, so that its messages to several
 * people are counted one after the other; null when there is nothing to count. Called before anything else is locked.
 */
export async function holdForLinks(
  tx: Tx,
  ctx: AppContext,
  me: MemberRef,
  text: string | null,
): Promise<Braked | null> {
  const links = linksToCount(ctx, text);
  if (links.length === 0) return null;
  const since = new Date(ctx.clock.now().getTime() - NEW_MS);
  return (await lockNewMember(tx, me.memberId, since)) ? { links } : null;
}

/** Counts the links of a message to somebody who has never answered, or refuses it. What is refused does not count. */
export async function countLinks(
  tx: Tx,
  { encryption, clock }: AppContext,
  me: MemberRef,
  friend: MemberRef,
  pair: Pair,
  { links }: Braked,
): Promise<void> {
  if (await rows.hasWritten(tx, pair.key, friend.memberId)) return;
  const now = clock.now();
  const sending = {
    member_no: me.memberId,
    link_digests: links.map((link) => encryption.blindIndex(`${me.memberId}\0${link}`, "link")),
    receiver_digest: encryption.blindIndex(`${me.memberId}\0${friend.memberId}`, "link receiver"),
  };
  const { any, same } = await rows.countOthers(tx, sending, {
    dayBegan: new Date(now.getTime() - DAY_MS),
    weekBegan: new Date(now.getTime() - NEW_MS),
  });
  if (any >= RECEIVERS_OF_ANY_LINK || same >= RECEIVERS_OF_ONE_LINK) throw new ApiError("too_many_links");
  await rows.recordLinks(tx, sending, now);
}

/** Forgets what is too old to count. */
export async function sweepLinks({ db, clock }: AppContext): Promise<void> {
  await rows.deleteLinksBefore(db, new Date(clock.now().getTime() - NEW_MS));
}
