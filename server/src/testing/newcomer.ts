/** The numbers of a new search row, by the defaults of its columns. */
export const NEWCOMER = {
  gives: 40,
  gets: 40,
  presence: 50,
  replies: 50,
  freshMatches: 0,
  shownLately: 0,
} as const;
