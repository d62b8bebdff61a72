import type { Generated } from "kysely";
import type { RangeUnit, SearchSex, Sex } from "@alcove/contract/users";

interface ProfilesTable {
  member_no: number;
  /** Encrypted JSON of `ProfileText`. */
  encrypted_profile: Buffer;
  icon_media: string | null;
  icon_process: boolean;
  /** The clear picture behind a processed icon; null unless the member keeps one. */
  clear_icon_media: Generated<string | null>;
  sex: Sex;
  date_of_birth: string;
  search_sex: SearchSex;
  search_range_unit: RangeUnit;
  search_min_range: number;
  search_max_range: number;
  search_min_age: number;
  search_max_age: number;
  /** Packed grid cell and its coarse parent; the position is the centre of the cell. */
  cell: number | null;
  region: number | null;
  longitude: number | null;
  latitude: number | null;
  gps_updated_at: Date | null;
  rev: Generated<number>;
}

export interface ProfilesTables {
  profiles: ProfilesTable;
}
