import type { Generated } from "kysely";
import type { FilterSuggestion } from "@alcove/contract/suggestions";

interface SearchablesTable {
  member_no: number;
  region: number;
  /** The grid cell of the secret place `x`, `y`, `z` (see `position/places.ts`), and its parents. */
  cell: number;
  near_cell: number;
  far_cell: number;
  x: number;
  y: number;
  z: number;
  /** See `monthOf`. */
  birth_month: number;
  sex: number;
  sought_sexes: number;
  sought_min_age: number;
  sought_max_age: number;
  min_chord_squared: number;
  max_chord_squared: number;
  active_day: number;
  /** See `search/random-slots.ts`. */
  slot: number;
  /** The columns from here on are `OrderInputs` (`search/chances.ts`). Jobs keep them. */
  waiting_likes: Generated<number>;
  fresh_matches: Generated<number>;
  gives: Generated<number>;
  gets: Generated<number>;
  presence: Generated<number>;
  replies: Generated<number>;
  shown_lately: Generated<number>;
  shown_day: number;
}

interface VerdictsTable {
  actor: number;
  target: number;
  liked: boolean;
  /** A block left this pass. The actor may not know of it. */
  by_block: Generated<boolean>;
  /** False if a stranger's block left this pass. */
  met: Generated<boolean>;
  day: string;
  /** Orders verdicts, also within a day; changes with the verdict. */
  sequence_no: number;
}

interface LikesReceivedTable {
  target: number;
  actor: number;
  sequence_no: number;
}

interface DecksTable {
  viewer: number;
  fingerprint: number;
  ids: number[];
  /** Shown last to a paid viewer with this fingerprint. */
  dealt: Generated<number[]>;
  empty_reason: "nobody_in_range" | "all_seen" | "filters_too_narrow";
  suggestion: FilterSuggestion | null;
  suggested_max_range: number | null;
  newest_like_no: number;
  built_at: Date;
  rev: Generated<number>;
}

interface CellCountsTable {
  far_cell: number;
  sex: number;
  members: number;
}

interface ClearIconViewersTable {
  member_no: number;
  viewer_no: number;
  sequence_no: number;
}

interface MatchEdgesTable {
  member_no: number;
  other_no: number;
  day: string;
  sequence_no: number;
  is_new: Generated<boolean>;
  opened_on: Generated<string | null>;
}

interface EndedMatchesTable {
  member_no: number;
  ended_id: string;
  other_no: number | null;
  matched_on: string;
  ended_on: string;
  kept_until: string;
  goodbye: number | null;
  by_suspension: Generated<boolean>;
}

/** Likes and new faces count in days of `DAY_TIME_ZONE`, cards in card days. */
interface QuotaDaysTable {
  member_no: number;
  day_start: Date;
  cards_used: number;
  likes_used: number;
  daily_cards: number[];
  /** Parallel to `daily_cards`: each member's fingerprint at the deal. */
  card_fingerprints: number[];
  /** The member's own filter at the last deal. */
  filter_fingerprint: Generated<number | null>;
  is_replaced: Generated<boolean>;
  came_at: Generated<Date | null>;
  new_faces: Generated<number>;
}

interface LastVerdictsTable {
  member_no: number;
  target: number;
  sequence_no: number;
  day_start: Date;
  used_card: boolean;
  card_fingerprint: number | null;
  liked: boolean;
  /** After an undo, the next verdict on the target costs nothing. */
  keeps_quota: boolean;
  is_undone: Generated<boolean>;
}

export interface DiscoveryTables {
  searchables: SearchablesTable;
  verdicts: VerdictsTable;
  likes_received: LikesReceivedTable;
  decks: DecksTable;
  cell_counts: CellCountsTable;
  clear_icon_viewers: ClearIconViewersTable;
  match_edges: MatchEdgesTable;
  ended_matches: EndedMatchesTable;
  quota_days: QuotaDaysTable;
  last_verdicts: LastVerdictsTable;
}
