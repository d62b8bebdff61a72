import type { Generated } from "kysely";
import type { FilterSuggestion } from "@alcove/contract/discovery";

interface SearchablesTable {
  member_no: number;
  region: number;
  c7: number;
  c6: number;
  c4: number;
  x: number;
  y: number;
  z: number;
  dob: string;
  sex: number;
  want: number;
  want_amin: number;
  want_amax: number;
  want_c2_min: number;
  want_c2_max: number;
  active_day: number;
  /** Days backwards, and the lot of the day: `slots.ts`. */
  slot: number;
  last_active: Date;
  rev: number;
}

interface VerdictsTable {
  actor: number;
  target: number;
  liked: boolean;
  at: Date;
}

interface LikesReceivedTable {
  target: number;
  actor: number;
  at: Date;
}

interface DecksTable {
  viewer: number;
  sig: number;
  /** The driver reads int8[] as texts; `deck.sql.ts` makes numbers of them. */
  ids: number[];
  /** The search, or the one for a suggestion, was dear and has read all that there was: it is not run again for a while. */
  exhausted: boolean;
  /** What is said when nobody of the deck is left. */
  empty_reason: "nobody_in_range" | "all_seen" | "filters_too_narrow";
  /** The change of the filter that would bring somebody, where the deck was built empty and one would. */
  suggestion: FilterSuggestion | null;
  built_at: Date;
}

interface CellCountsTable {
  c4: number;
  sex: number;
  n: number;
}

interface ClearIconViewersTable {
  member_no: number;
  /** The match that may see the member's clear picture. */
  viewer_no: number;
  at: Date;
}

interface MatchEdgesTable {
  member_no: number;
  other_no: number;
  at: Date;
  /** The member has not looked at it yet. */
  is_new: Generated<boolean>;
}

interface QuotaDaysTable {
  member_no: number;
  day: string;
  cards: number;
  likes: number;
  /** The cards dealt to a free member that day and not used, in order, and what each person's listing looked like. */
  hand: number[];
  hand_marks: number[];
}

interface LastPassesTable {
  member_no: number;
  target: number;
  at: Date;
  /** The day it counted for, whose card it used if it used one. */
  day: string;
  used_card: boolean;
  /** The mark of the card that was passed; null when it was no card of the hand. */
  hand_mark: number | null;
}

export interface DiscoveryTables {
  searchables: SearchablesTable;
  verdicts: VerdictsTable;
  likes_received: LikesReceivedTable;
  decks: DecksTable;
  cell_counts: CellCountsTable;
  clear_icon_viewers: ClearIconViewersTable;
  match_edges: MatchEdgesTable;
  quota_days: QuotaDaysTable;
  last_passes: LastPassesTable;
}
