export interface DiscoveryDomainEvents {
  member_moved: { memberId: number; longitude: number; latitude: number };
  /** Two members become a match. Both are locked. */
  match_made: { a: number; b: number };
}

export interface DiscoveryBusEvents {
  matched: { a: number; b: number };
  /** A match ended by a block or a deletion. `otherUserId` is encrypted. */
  match_ended: { memberId: number; otherMemberId: number; otherUserId: string };
}

export interface DiscoveryJobs {
  /** Stores the counts of waiting likes, and completes the match in case the process of the like has died. */
  check_match: { one: number; other: number };
  /** After an end of likes. */
  count_waiting_likes: { memberIds: readonly number[] };
  correct_waiting_likes: unknown;
  /** After a deletion. */
  delete_verdicts_about: { memberId: number };
  delete_expired_days_and_decks: unknown;
  count_cells: unknown;
  complete_missed_matches: unknown;
}
