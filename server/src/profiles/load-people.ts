import type { RangeUnit, SearchSex, Sex } from "@alcove/contract/users";
import type { AppContext } from "../platform/context.ts";
import * as rows from "./profiles.sql.ts";
import { decryptCachedProfileText, type ProfileText } from "./profile-text.ts";

/** A decrypted profile. Only the `present…` functions decide which fields a viewer gets. */
export interface Person extends ProfileText {
  readonly memberId: number;
  readonly userId: string;
  readonly accountStatus: "active" | "suspended";
  readonly iconMedia: string | null;
  readonly iconProcess: boolean;
  readonly clearIconMedia: string | null;
  readonly sex: Sex;
  readonly dateOfBirth: string;
  /** Packed grid cell and its coarse parent; null before the first position. */
  readonly cell: number | null;
  readonly region: number | null;
  readonly filter: Filter;
}

/** Ranges are in `unit`. */
export interface Filter {
  readonly sex: SearchSex;
  readonly unit: RangeUnit;
  readonly minRange: number;
  readonly maxRange: number;
  readonly minAge: number;
  readonly maxAge: number;
}

/** Loads members in one batch. The result lacks non-existent members and includes suspended ones. */
export async function loadPeople(
  ctx: AppContext,
  memberIds: readonly number[],
): Promise<Map<number, Person>> {
  const found = await Promise.all(memberIds.map((memberId) => rows.readPerson(ctx.db, memberId)));
  return new Map(found.flatMap((row) => (row ? [[row.member_no, decryptPerson(ctx, row)] as const] : [])));
}

function decryptPerson(
  ctx: AppContext,
  row: NonNullable<Awaited<ReturnType<typeof rows.readPerson>>>,
): Person {
  return {
    ...decryptCachedProfileText(ctx.encryption, row.member_no, row.encrypted_profile),
    memberId: row.member_no,
    userId: row.user_id,
    accountStatus: row.account_status,
    iconMedia: row.icon_media,
    iconProcess: row.icon_process,
    clearIconMedia: row.clear_icon_media,
    sex: row.sex,
    dateOfBirth: row.date_of_birth,
    cell: row.cell,
    region: row.region,
    filter: {
      sex: row.search_sex,
      unit: row.search_range_unit,
      minRange: row.search_min_range,
      maxRange: row.search_max_range,
      minAge: row.search_min_age,
      maxAge: row.search_max_age,
    },
  };
}
