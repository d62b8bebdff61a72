export interface DiscoveryDomainEvents {
  member_moved: { memberId: number; longitude: number; latitude: number };
  /** Both members are locked. */
  match_made: { a: number; b: number };
}

export interface DiscoveryBusEvents {
  matched: { a: number; b: number };
  /** A block or a deletion ended the match. `otherUserId` is encrypted. */
  match_ended: { memberId: number; otherMemberId: number; otherUserId: string };
}

export interface DiscoveryJobs {
  /** Counts waiting likes, and completes the match if the process of the like has died. */
  check_match: { one: number; other: number };
  /** Runs after likes ended. */
  count_waiting_likes: { memberIds: readonly number[] };
  correct_waiting_likes: unknown;
  delete_verdicts_about: { memberId: number };
  delete_expired_days_and_decks: unknown;
  count_cells: unknown;
  complete_missed_matches: unknown;
}
