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
  /** See `search/random-slots.ts`. */
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
  /** The latest candidates shown to a paid viewer with this fingerprint. */
  dealt: Generated<number[]>;
  /** An expensive search has found everyone. */
  exhausted: boolean;
  empty_reason: "nobody_in_range" | "all_seen" | "filters_too_narrow";
  /** Only for a deck built empty. */
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
  daily_cards: number[];
  /** Parallel to `daily_cards`: each member's fingerprint at the deal. */
  card_fingerprints: number[];
  /** Of the member's own filter at the last deal. */
  filter_fingerprint: Generated<number | null>;
  /** A changed filter has replaced cards on this day. */
  is_replaced: Generated<boolean>;
}

interface LastPassesTable {
  member_no: number;
  target: number;
  at: Date;
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
