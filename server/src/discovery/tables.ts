import type { Generated } from "kysely";
import type { FilterSuggestion } from "@alcove/contract/discovery";

interface SearchablesTable {
  member_no: number;
  region: number;
  cell: number;
  near_cell: number;
  far_cell: number;
  x: number;
  y: number;
  z: number;
  date_of_birth: string;
  sex: number;
  sought_sexes: number;
  sought_min_age: number;
  sought_max_age: number;
  min_chord_squared: number;
  max_chord_squared: number;
  active_day: number;
  /** Orders a cell's members: days backwards, then the random rank of the day (`search/random-slots.ts`). */
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
  fingerprint: number;
  /** The driver returns int8[] as strings. */
  ids: number[];
  /** An expensive search has found everyone, so it is not repeated for a while. */
  exhausted: boolean;
  empty_reason: "nobody_in_range" | "all_seen" | "filters_too_narrow";
  /** The filter change that would find candidates, if the deck was built empty. */
  suggestion: FilterSuggestion | null;
  built_at: Date;
}

interface CellCountsTable {
  far_cell: number;
  sex: number;
  members: number;
}

interface ClearIconViewersTable {
  member_no: number;
  /** The match who may see the member's clear picture. */
  viewer_no: number;
  at: Date;
}

interface MatchEdgesTable {
  member_no: number;
  other_no: number;
  at: Date;
  /** The member has not opened the match yet. */
  is_new: Generated<boolean>;
}

interface QuotaDaysTable {
  member_no: number;
  day: string;
  cards_used: number;
  likes_used: number;
  /** The unused cards of a free member, in order. */
  daily_cards: number[];
  /** For each card: the fingerprint of that member's filter and place at the deal. */
  card_fingerprints: number[];
}

interface LastPassesTable {
  member_no: number;
  target: number;
  at: Date;
  /** The quota day of the pass. */
  day: string;
  used_card: boolean;
  /** Null if the passed member was not among the daily cards. */
  card_fingerprint: number | null;
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
