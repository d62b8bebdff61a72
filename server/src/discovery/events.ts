export interface DiscoveryDomainEvents {
  member_moved: { memberId: number; longitude: number; latitude: number };
  /** Both members are locked. */
  match_made: { a: number; b: number };
}

export interface DiscoveryBusEvents {
  matched: { a: number; b: number };
  /** `otherUserId` is encrypted. */
  match_ended: { memberId: number; otherMemberId: number; otherUserId: string };
}

export interface DiscoveryJobs {
  /** Counts waiting likes, and completes the match if the like's process has died. */
  check_match: { one: number; other: number };
  count_waiting_likes: { memberIds: readonly number[] };
  correct_waiting_likes: unknown;
  delete_verdicts_about: { memberId: number };
  delete_expired_days_and_decks: unknown;
  count_cells: unknown;
  complete_missed_matches: unknown;
}
