import type { ParsedOf } from "@alcove/contract";
import type { register } from "@alcove/contract/accounts";
import { defaultRanges, mergeRanges } from "@alcove/contract/users";
import { claimMedia } from "../media/index.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
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
  | "invited_by_user_id";

/** The profile and filter fields of the sign-up form. */
export type ProfileForm = Omit<Registration, AccountFields>;

/** Runs in the transaction that creates the member, and claims the icon. */
export async function createProfile(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  form: ProfileForm,
  iconMedia: string | null,
  iconProcess: boolean,
): Promise<void> {
  if (iconMedia !== null) await claimMedia(tx, memberId, iconMedia);
  await rows.insertProfile(tx, {
    member_no: memberId,
    encrypted_profile: encryptProfileText(ctx.encryption, memberId, form),
    icon_media: iconMedia,
    icon_process: iconProcess,
    sex: form.sex,
    date_of_birth: form.date_of_birth,
    search_sex: form.search_sex,
    search_range_unit: form.search_range_unit,
    ...mergeRanges(form, defaultRanges),
  });
}
