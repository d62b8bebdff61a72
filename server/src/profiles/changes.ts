import type { ParsedOf } from "@alcove/contract";
import type { saveProfile } from "@alcove/contract/profiles";
import { heightError } from "@alcove/contract/users";
import { claimMedia, forgetMedia, releaseMedia } from "../media/index.ts";
import type { AppContext, MemberRef } from "../platform/context.ts";
import { type FieldErrors, ApiError, throwIfInvalid } from "../platform/errors.ts";
import { filesOnlyIn, type Icon, isSameIcon, createIcon } from "./icons.ts";
import * as rows from "./profiles.sql.ts";
import { decryptProfileText, encryptProfileText, type ProfileText } from "./profile-text.ts";

type Change = ParsedOf<typeof saveProfile>;

/**
 * Saves what a member changes of its profile: a field left out stays as it is, an emptied one is not filled.
 *
 * Pictures take their time, so the new one is made before anything is locked, from the icon as it was then. Where
 * another device has changed the icon meanwhile it is made again from what is there now.
 */
export async function changeProfile(ctx: AppContext, me: MemberRef, change: Change): Promise<void> {
  for (;;) {
    const before = await rows.readIcon(ctx.db, me.memberId);
    if (!before) throw new ApiError("login_required"); // deleted since the request came
    const icon = await createIcon(ctx, me.memberId, before, change);
    let isSaved = false;
    try {
      isSaved = await save(ctx, me, change, before, icon);
    } finally {
      const unused = icon && !isSaved ? filesOnlyIn(icon, before) : [];
      for (const file of unused) await forgetMedia(ctx, me.memberId, file);
    }
    if (isSaved) return;
  }
}

/**
 * Stores a change, all of it or nothing; false when the icon is no longer the one that the new one was made from.
 *
 * The profile is locked first, so that of two changes at once neither overlooks what the other one wrote. A deletion
 * locks it too before it asks for pictures: it comes before and is obeyed, or comes after and finds the new one.
 */
async function save(
  ctx: AppContext,
  me: MemberRef,
  change: Change,
  before: Icon,
  icon: Icon | null,
): Promise<boolean> {
  return ctx.db.transaction().execute(async (tx) => {
    const old = await rows.lockProfile(tx, me.memberId);
    if (!old) throw new ApiError("login_required");
    const changesIcon = change.icon != null || change.icon_process != null || change.keep_clear_icon != null;
    if (changesIcon && !isSameIcon(old, before)) return false;

    const text = decryptProfileText(ctx.encryption, me.memberId, old.encrypted_profile);
    throwIfInvalid(heightErrors(text, change));
    const newText = mergeText(text, change);
    const { icon_media, icon_process, clear_icon_media } = icon ?? old;
    for (const file of icon ? filesOnlyIn(icon, old) : []) await claimMedia(tx, me.memberId, file);
    await rows.updateProfile(tx, me.memberId, {
      encrypted_profile: encryptProfileText(ctx.encryption, me.memberId, newText),
      icon_media,
      icon_process,
      clear_icon_media,
    });
    for (const file of icon ? filesOnlyIn(old, icon) : []) await releaseMedia(tx, ctx, me.memberId, file);
    if (clear_icon_media !== old.clear_icon_media)
      await ctx.domainEvents.follow(tx, "clear_icon_changed", { memberId: me.memberId });
    return true;
  });
}

/** What is wrong with a change only together with what stays as it is, of as many fields as are right. */
export async function validateHeight(
  ctx: AppContext,
  me: MemberRef,
  right: Partial<Change>,
): Promise<FieldErrors> {
  const old = await ctx.db.transaction().execute((tx) => rows.lockProfile(tx, me.memberId));
  return old
    ? heightErrors(decryptProfileText(ctx.encryption, me.memberId, old.encrypted_profile), right)
    : {};
}

/** A height is looked at with its unit, whichever of the two was sent. */
function heightErrors(old: ProfileText, change: Partial<Change>): FieldErrors {
  const { tall = old.tall, tall_unit = old.tall_unit } = change;
  const isSent = change.tall !== undefined || change.tall_unit !== undefined;
  return { tall: isSent && tall !== null ? heightError(tall, tall_unit) : null };
}

function mergeText(old: ProfileText, change: Change): ProfileText {
  const sent = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...old, ...Object.fromEntries(sent) };
}
