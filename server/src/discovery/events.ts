export interface DiscoveryDomainEvents {
  /** A member moved to another grid cell; the position is its centre. */
  member_moved: { memberId: number; longitude: number; latitude: number };
  /** Two members become a match. Both are locked. */
  match_made: { a: number; b: number };
}

export interface DiscoveryBusEvents {
  /** Two members became a match. */
  matched: { a: number; b: number };
  /** A match ended by a block or a deletion. */
  friend_lost: { memberId: number; friendMemberId: number; friendId: string };
}

export interface DiscoveryJobs {
  /** Completes a mutual like if the process stopped before it could. */
  check_match: { one: number; other: number };
  /** Deletes the verdicts about a deleted member, and the member from decks. */
  forget_verdicts: { memberId: number };
  /** Deletes past quota days and unused decks. */
  sweep_days: unknown;
  count_cells: unknown;
  sweep_matches: unknown;
}
