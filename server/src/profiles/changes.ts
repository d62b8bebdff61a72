import type { ParsedOf } from "@alcove/contract";
import type { saveProfile } from "@alcove/contract/profiles";
import { heightError } from "@alcove/contract/users";
import { claimMedia, forgetMedia, releaseMedia } from "../media/index.ts";
import type { AppContext, MemberRef } from "../platform/context.ts";
import { type FieldErrors, ApiError, throwIfInvalid } from "../platform/errors.ts";
import { filesApart, type Icon, isSameIcon, newIconFor } from "./icons.ts";
import * as rows from "./profiles.sql.ts";
import { openWritten, sealWritten, type Written } from "./profile-text.ts";

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
    const icon = await newIconFor(ctx, me.memberId, before, change);
    let isSaved = false;
    try {
      isSaved = await save(ctx, me, change, before, icon);
    } finally {
      const unused = icon && !isSaved ? filesApart(icon, before) : [];
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
    const concernsIcon = change.icon != null || change.icon_process != null || change.keep_clear_icon != null;
    if (concernsIcon && !isSameIcon(old, before)) return false;

    const told = openWritten(ctx.encryption, me.memberId, old.encrypted_profile);
    throwIfInvalid(heightFaults(told, change));
    const written = mergeWritten(told, change);
    const { icon_media, icon_process, clear_icon_media } = icon ?? old;
    for (const file of icon ? filesApart(icon, old) : []) await claimMedia(tx, me.memberId, file);
    await rows.updateProfile(tx, me.memberId, {
      encrypted_profile: sealWritten(ctx.encryption, me.memberId, written),
      icon_media,
      icon_process,
      clear_icon_media,
    });
    for (const file of icon ? filesApart(old, icon) : []) await releaseMedia(tx, ctx, me.memberId, file);
    if (clear_icon_media !== old.clear_icon_media)
      await ctx.domainEvents.follow(tx, "clear_icon_changed", { memberId: me.memberId });
    return true;
  });
}

/** What is wrong with a change only together with what stays as it is, of as many fields as are right. */
export async function faultsOf(ctx: AppContext, me: MemberRef, right: Partial<Change>): Promise<FieldErrors> {
  const old = await ctx.db.transaction().execute((tx) => rows.lockProfile(tx, me.memberId));
  return old ? heightFaults(openWritten(ctx.encryption, me.memberId, old.encrypted_profile), right) : {};
}

/** A height is looked at with its unit, whichever of the two was sent. */
function heightFaults(old: Written, change: Partial<Change>): FieldErrors {
  const { tall = old.tall, tall_unit = old.tall_unit } = change;
  const isSent = change.tall !== undefined || change.tall_unit !== undefined;
  return { tall: isSent && tall !== null ? heightError(tall, tall_unit) : null };
}

function mergeWritten(old: Written, change: Change): Written {
  const sent = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...old, ...Object.fromEntries(sent) };
}
