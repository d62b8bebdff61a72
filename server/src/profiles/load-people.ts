import type { RangeUnit, SearchSex, Sex } from "@alcove/contract/users";
import { cachedUserId, findUserId } from "../members/user-ids.ts";
import type { AppContext } from "../platform/context.ts";
import { KeyDestroyedError } from "../platform/keys/data-keys.ts";
import { picturesOf } from "./album.ts";
import * as rows from "./profiles.sql.ts";
import {
  cachedProfileText,
  decryptCachedProfileText,
  hasCachedProfileText,
  type ProfileText,
} from "./profile-text.ts";
import type { StoredPicture } from "./tables.ts";

/** Only the `present…` functions decide which fields a viewer gets. */
export interface Person extends Omit<ProfileText, "date_of_birth"> {
  readonly memberId: number;
  readonly userId: string;
  readonly isSuspended: boolean;
  readonly isLimited: boolean;
  readonly isPaused: boolean;
  readonly onlyLiked: boolean;
  readonly hasAreas: boolean;
  readonly iconMedia: string | null;
  readonly iconProcess: boolean;
  /** Those that others may see. */
  readonly pictures: readonly StoredPicture[];
  /** Those that wait for an operator's look. */
  readonly waitingPictures: readonly StoredPicture[];
  readonly sex: Sex;
  readonly dateOfBirth: string;
  /** Packed grid cell of the counted position. */
  readonly cell: number | null;
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

/** Includes suspended members. */
export async function loadPeople(
  ctx: AppContext,
  memberIds: readonly number[],
): Promise<Map<number, Person>> {
  const found = await Promise.all(memberIds.map((memberId) => loadPerson(ctx, memberId)));
  return new Map(found.flatMap((person) => (person ? [[person.memberId, person] as const] : [])));
}

async function loadPerson(ctx: AppContext, memberId: number): Promise<Person | null> {
  return (await loadCachedPerson(ctx, memberId)) ?? (await loadEncryptedPerson(ctx, memberId));
}

async function loadCachedPerson(ctx: AppContext, memberId: number): Promise<Person | null> {
  const userId = cachedUserId(ctx.encryption, memberId);
  if (userId === undefined || !hasCachedProfileText(memberId)) return null;
  const row = await rows.readPerson(ctx.db, memberId);
  const text = row && cachedProfileText(memberId, row.profile_nonce);
  return text ? toPerson(row, userId, text) : null;
}

async function loadEncryptedPerson(ctx: AppContext, memberId: number): Promise<Person | null> {
  const [row, userId] = await Promise.all([
    rows.readEncryptedPerson(ctx.db, memberId),
    findUserId(ctx.db, ctx.encryption, memberId),
  ]);
  if (!row || userId === null) return null;
  try {
    const text = await decryptCachedProfileText(ctx.encryption, memberId, row.encrypted_profile);
    return toPerson(row, userId, text);
  } catch (error) {
    if (error instanceof KeyDestroyedError) return null; // deleted since the row was read
    throw error;
  }
}

export async function decryptDateOfBirth(
  ctx: AppContext,
  memberId: number,
  encryptedProfile: Buffer,
): Promise<string> {
  return (await decryptCachedProfileText(ctx.encryption, memberId, encryptedProfile)).date_of_birth;
}

/** A limited member is on no card, nor is one whose only picture waits. */
export const isOnCards = ({ isSuspended, isLimited, pictures, waitingPictures }: Person): boolean =>
  !isSuspended && !isLimited && (pictures.length > 0 || waitingPictures.length === 0);

function toPerson(row: rows.PersonRow, userId: string, { date_of_birth, ...text }: ProfileText): Person {
  const waiting = new Set(row.waiting_media);
  const pictures = picturesOf(row).filter(({ media }) => !waiting.has(media));
  return {
    ...text,
    memberId: row.member_no,
    userId,
    isSuspended: row.is_suspended,
    isLimited: row.is_limited,
    isPaused: row.is_paused,
    onlyLiked: row.only_liked,
    hasAreas: row.has_areas,
    iconMedia: pictures[0]?.media ?? null,
    iconProcess: pictures[0]?.process ?? row.icon_process,
    pictures,
    waitingPictures: picturesOf(row).filter(({ media }) => waiting.has(media)),
    sex: row.sex,
    dateOfBirth: date_of_birth,
    cell: row.cell,
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
