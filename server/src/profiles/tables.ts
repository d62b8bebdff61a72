import type { ColumnType, Generated } from "kysely";
import type { CorrectedField } from "@alcove/contract/corrections";
import type {
  Arrival,
  CorrectionState,
  LocationPrecision,
  RangeUnit,
  SearchSex,
  Sex,
} from "@alcove/contract/users";

/** `clear` is the clear version of a processed picture, if kept. */
export interface StoredPicture {
  readonly media: string;
  readonly process: boolean;
  readonly clear: string | null;
}

interface ProfilesTable {
  member_no: number;
  encrypted_profile: Buffer;
  icon_media: string | null;
  icon_process: boolean;
  clear_icon_media: Generated<string | null>;
  /** JSON of at most two pictures, in order. */
  more_pictures: ColumnType<readonly StoredPicture[], string | undefined, string>;
  sex: Sex;
  /** See `monthOf`. The exact date is encrypted. */
  birth_month: number;
  search_sex: SearchSex;
  search_range_unit: RangeUnit;
  search_min_range: number;
  search_max_range: number;
  search_min_age: number;
  search_max_age: number;
  /** Packed grid cell of the last counted position. */
  cell: number | null;
  /** Of the search row. */
  region: number | null;
  sent_cell: number | null;
  gps_updated_at: Date | null;
  location_precision: Generated<LocationPrecision>;
  cell_counted_at: Date | null;
  /** Counted on the day `cell_changed_on`. */
  cell_changes: Generated<number>;
  cell_changed_on: string | null;
  /** A copy of `members.account_status`: a card is read from one table. */
  is_suspended: Generated<boolean>;
  /** A job clears it. */
  limited_until: Generated<Date | null>;
  is_paused: Generated<boolean>;
  /** A job ends the pause when this day begins in the member's zone. */
  paused_until: string | null;
  only_liked: Generated<boolean>;
  /** Only the member sees them until an operator has looked. */
  waiting_media: Generated<string[]>;
  /** See `hidden-areas.ts`; null without an area. */
  encrypted_areas: Buffer | null;
  /** In `DAY_TIME_ZONE`; of the reply to the week's question. */
  answer_ends_on: string | null;
  /** In `DAY_TIME_ZONE`. */
  area_added_on: string | null;
  encrypted_places: Buffer | null;
  arrival: Arrival | null;
  arrival_zone: string | null;
  arrival_fixed_until: Date | null;
  card_day_start: Date | null;
  card_day_end: Date | null;
}

interface CorrectionsTable {
  member_no: number;
  field: CorrectedField;
  correction_id: string;
  state: CorrectionState;
  changed_on: string;
  /** The wanted value and the reason; null after the decision. */
  encrypted_request: Buffer | null;
}

export interface ProfilesTables {
  corrections: CorrectionsTable;
  profiles: ProfilesTable;
}
