import type { ParsedOf } from "@alcove/contract";
import type { register } from "@alcove/contract/accounts";
import { defaultRanges, mergeRanges } from "@alcove/contract/users";
import { claimMedia } from "../media/index.ts";
import { monthOf } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
import { type Album, filesOf, picturesOf } from "./album.ts";
import * as rows from "./profiles.sql.ts";
import { encryptProfileText } from "./profile-text.ts";

type Registration = ParsedOf<typeof register>;
type AccountFields =
  | "email"
  | "code"
  | "provider"
  | "accessToken"
  | "agree_sensitive"
  | "userId"
  | "password"
  | "passwordConfirmation"
  | "icon"
  | "icon_process"
  | "keep_clear_icon"
  | "invited_by_user_id";

export type ProfileForm = Omit<Registration, AccountFields>;

export async function createProfile(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  form: ProfileForm,
  album: Album,
): Promise<void> {
  const files = filesOf(album);
  for (const file of files) await claimMedia(tx, memberId, file);
  if (files.length > 0) await ctx.domainEvents.emit(tx, "pictures_added", { memberId, mediaIds: files });
  await rows.insertProfile(tx, {
    member_no: memberId,
    encrypted_profile: await encryptProfileText(ctx.encryption, memberId, form),
    ...album,
    more_pictures: JSON.stringify(album.more_pictures),
    waiting_media: ctx.config.pictureReview === "before" ? picturesOf(album).map(({ media }) => media) : [],
    sex: form.sex,
    birth_month: monthOf(form.date_of_birth),
    search_sex: form.search_sex,
    search_range_unit: form.search_range_unit,
    ...mergeRanges(form, defaultRanges),
  });
}
