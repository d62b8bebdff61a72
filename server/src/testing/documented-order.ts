import type { FoundMember } from "../discovery/search/search.sql.ts";

interface Card {
  readonly km: number;
  readonly today: number;
  readonly viewerFreshMatches: number;
  readonly likesViewer: boolean;
}

/** The formula of docs/order-of-cards.md, written a second time. */
export function documentedRank(
  one: Omit<FoundMember, "cell" | "chordSquared" | "isCertain" | "memberId">,
  { km, today, viewerFreshMatches, likesViewer }: Card,
): number {
  const p = (percent: number) => Math.min(0.97, Math.max(0.03, percent / 100));
  const need = (matches: number) => Math.max(0.01, 1 / (1 + matches) ** 6);
  const steps = (value: number, ends: readonly number[]) => ends.filter((end) => value > end).length;
  const daysAway = today - one.activeDay;
  const presence = p(one.presence) * 0.9 ** daysAway;
  const back = likesViewer ? 1 : p(one.gives) * Math.min(1, (10 * presence) / (one.waitingLikes + 1));
  const lately = (one.shownLately / 10) * 0.7 ** (today - one.shownDay);
  const helps = need(viewerFreshMatches) + need(one.freshMatches);
  const daysUnseen = daysAway <= 3 ? today - one.shownDay : 0;
  return Math.round(
    2 * Math.log2((p(one.gets) * back * helps * p(one.replies)) / (1 + lately / 3)) +
      (daysUnseen < 2 ? 0 : 4 * Math.min(daysUnseen, 6)) -
      (0.3 * lately * p(one.gets) > 3 ? 16 : 0) -
      0.5 * (2 * steps(km, [8, 25, 80, 250]) + 3 * steps(daysAway, [3, 14, 60])),
  );
}
