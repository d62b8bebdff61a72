import type { ColumnType, Generated } from "kysely";
import type { LocationPrecision, RangeUnit, SearchSex, Sex } from "@alcove/contract/users";

/** A picture after the first one; `clear` is the clear version of a processed one, if the member keeps it. */
export interface StoredPicture {
  readonly media: string;
  readonly process: boolean;
  readonly clear: string | null;
}

interface ProfilesTable {
  member_no: number;
  /** Encrypted JSON of `ProfileText`. */
  encrypted_profile: Buffer;
  icon_media: string | null;
  icon_process: boolean;
  /** The clear picture behind a processed icon; null unless the member keeps one. */
  clear_icon_media: Generated<string | null>;
  /** JSON. At most two, in order. */
  more_pictures: ColumnType<readonly StoredPicture[], string | undefined, string>;
  sex: Sex;
  /** See `monthOf`. The exact date is in the encrypted profile. */
  birth_month: number;
  search_sex: SearchSex;
  search_range_unit: RangeUnit;
  search_min_range: number;
  search_max_range: number;
  search_min_age: number;
  search_max_age: number;
  /** The last counted position, for search and distances: a packed grid cell and its coarse parent. */
  cell: number | null;
  region: number | null;
  /** The cell of the last sent position, which the member sees, whether it counted or not. */
  sent_cell: number | null;
  /** The start of the minute. */
  gps_updated_at: Date | null;
  location_precision: Generated<LocationPrecision>;
  /** The end of the minute. */
  cell_counted_at: Date | null;
  /** Counted changes of the cell on the day `cell_changed_on`. */
  cell_changes: Generated<number>;
  cell_changed_on: string | null;
  rev: Generated<number>;
  /** Repeats `members.account_status`, so that a card is read from one table. */
  is_suspended: Generated<boolean>;
}

export interface ProfilesTables {
  profiles: ProfilesTable;
}
