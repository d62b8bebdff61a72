import { chanceOfLike, type Taste } from "./city.ts";
import type { Meeting, Rules, Standing } from "./model.ts";

/** The order before `docs/order-of-cards.md`: distance and absence, and members with 5 or 20 waiting likes later. */
export const oldOrder: Rules = {
  rank: ({ candidate, score }) => -score - 2 * [5, 20].filter((step) => candidate.likers.size >= step).length,
  findsUnseen: false,
};

/** The formula of `docs/order-of-cards.md`. */
export const newOrder: Rules = {
  rank: (meeting) =>
    Math.round(2 * worthOf(meeting, shareOf(meeting.candidate.gets), shareOf(meeting.candidate.gives))),
  findsUnseen: true,
};

export const knownChances: Rules = {
  rank: (meeting) => {
    const [viewer, candidate] = [meeting.viewer.resident, meeting.candidate.resident];
    return worthOf(meeting, chanceOfLike(viewer, candidate), chanceOfLike(candidate, viewer));
  },
  findsUnseen: true,
};

export const knownTastes = (likes: Taste): Rules => ({
  rank: (meeting) => {
    const [viewer, candidate] = [meeting.viewer.resident, meeting.candidate.resident];
    const sure = (isLiked: boolean) => (isLiked ? 0.97 : 0.03);
    return worthOf(meeting, sure(likes(viewer, candidate)), sure(likes(candidate, viewer)));
  },
  findsUnseen: true,
});

function worthOf(
  { viewer, candidate, day, likesViewer, score }: Meeting,
  likes: number,
  back: number,
): number {
  const present = shareOf(candidate.presence) * 0.9 ** (day - candidate.activeDay);
  const inTime = Math.min(1, (10 * present) / (Math.min(20, candidate.likers.size) + 1));
  const shown = candidate.shownLately * 0.7 ** Math.max(0, day - candidate.shownDay);
  const unseen = candidate.activeDay < day - 3 ? 0 : Math.min(day - candidate.shownDay, 6);
  return (
    Math.log2(
      (likes * (likesViewer ? 1 : back * inTime) * (needOf(viewer, day) + needOf(candidate, day))) /
        (1 + shown / 3),
    ) +
    (unseen >= 2 ? 2 * unseen : 0) -
    (0.3 * shown * likes > 3 ? 8 : 0) -
    score / 4
  );
}

const shareOf = (percent: number): number => Math.min(97, Math.max(3, percent)) / 100;

const needOf = ({ matchDays }: Standing, day: number): number =>
  Math.max(0.01, (1 + matchDays.filter((matched) => day - matched <= 14).length) ** -6);
