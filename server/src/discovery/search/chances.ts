import { DAY_MS, utcDay } from "../../platform/clock.ts";

/** Numbers of the search row about a member's cards. No member sees them. See `docs/order-of-cards.md`. */
export interface OrderInputs {
  /** Shares of likes among given and received verdicts, of 100. */
  readonly gives: number;
  readonly gets: number;
  /** The share of days with a visit, of 100. */
  readonly presence: number;
  /** The share of replies within a day, of 100; silence counts against them. */
  readonly replies: number;
  readonly freshMatches: number;
  /** Includes likes of members hidden from this one: a smaller count would reveal them. */
  readonly waitingLikes: number;
  /** Decided cards in tenths; decays from `shownDay` on. */
  readonly shownLately: number;
  readonly shownDay: number;
}

export const VERDICTS_REMEMBERED = 12;
export const CHATS_REMEMBERED = 12;
export const VISIT_DECAY = 0.9;
export const SHOWN_DECAY = 0.7;
export const MAX_SHOWN_LATELY = 1_000;
const FRESH_DAYS = 14;
const PATIENCE_DAYS = 10;
const LEAST_NEED = 0.01;
const USUAL_CARDS = 3;
const UNSEEN_DAYS = { from: 2, most: 6, weight: 2 } as const;
/** A member who is away for longer waits for no card. */
export const HERE_DAYS = 3;
const LIKES_CEILING = 3;
const BEYOND_CEILING = 8;

export function worthOf(
  one: OrderInputs & { readonly activeDay: number },
  {
    today,
    viewerFreshMatches,
    likesViewer,
  }: { today: number; viewerFreshMatches: number; likesViewer: boolean },
): number {
  const likesBack = likesViewer ? 1 : shareOf(one.gives) * inTime(one, today);
  const helps = needOf(viewerFreshMatches) + needOf(one.freshMatches);
  const shown = (one.shownLately / 10) * SHOWN_DECAY ** Math.max(0, today - one.shownDay);
  const isHere = one.activeDay >= today - HERE_DAYS;
  const unseenDays = isHere ? Math.min(today - one.shownDay, UNSEEN_DAYS.most) : 0;
  const isCrowded = shown * (1 - SHOWN_DECAY) * shareOf(one.gets) > LIKES_CEILING;
  return (
    Math.log2((shareOf(one.gets) * likesBack * helps * shareOf(one.replies)) / (1 + shown / USUAL_CARDS)) +
    (unseenDays >= UNSEEN_DAYS.from ? UNSEEN_DAYS.weight * unseenDays : 0) -
    (isCrowded ? BEYOND_CEILING : 0)
  );
}

const shareOf = (percent: number): number => Math.min(97, Math.max(3, percent)) / 100;

/** Whether the like, behind those that wait, is seen while both remember it. */
function inTime({ presence, activeDay, waitingLikes }: OrderInputs & { activeDay: number }, today: number) {
  const present = shareOf(presence) * VISIT_DECAY ** Math.max(0, today - activeDay);
  return Math.min(1, (PATIENCE_DAYS * present) / (waitingLikes + 1));
}

const needOf = (freshMatches: number): number => Math.max(LEAST_NEED, (1 + freshMatches) ** -6);

export function freshSince(now: Date): string {
  return utcDay(new Date(now.getTime() - FRESH_DAYS * DAY_MS));
}
