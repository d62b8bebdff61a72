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
  match_ended: { memberId: number; otherMemberId: number; otherUserId: string };
}

export interface DiscoveryJobs {
  /** Completes a mutual like if the process stopped before it could. */
  check_match: { one: number; other: number };
  /** Deletes the verdicts about a deleted member, and the member from decks. */
  delete_verdicts_about: { memberId: number };
  /** Deletes past quota days and decks. */
  delete_expired_days_and_decks: unknown;
  count_cells: unknown;
  complete_missed_matches: unknown;
}
