import type { ParsedOf } from "@alcove/contract";
import type { saveProfile } from "@alcove/contract/profiles";
import { heightError } from "@alcove/contract/users";
import { claimMedia, deleteMedia, releaseMedia } from "../media/index.ts";
import type { AppContext, MemberRef } from "../platform/context.ts";
import { keyedSemaphore } from "../platform/lib/semaphore.ts";
import { type FieldErrors, ApiError, throwIfInvalid } from "../platform/errors.ts";
import { filesOnlyIn, type Icon, isSameIcon, createIcon } from "./icons.ts";
import * as rows from "./profiles.sql.ts";
import { decryptProfileText, encryptProfileText, type ProfileText } from "./profile-text.ts";

type Change = ParsedOf<typeof saveProfile>;

/**
 * Saves changed profile fields. A missing field stays as it is, an empty one is cleared.
 *
 * The new icon is processed before any lock, and again if another process changes the icon meanwhile. Within a process,
 * changes of one icon wait for each other, so that parallel ones process no picture in vain.
 */
export async function changeProfile(ctx: AppContext, me: MemberRef, change: Change): Promise<void> {
  const run = () => changeInTurn(ctx, me, change);
  await (changesIcon(change) ? oneIconPerMember(String(me.memberId), run) : run());
}

const oneIconPerMember = keyedSemaphore(1);

const changesIcon = ({ icon, icon_process, keep_clear_icon }: Change): boolean =>
  icon != null || icon_process != null || keep_clear_icon != null;

async function changeInTurn(ctx: AppContext, me: MemberRef, change: Change): Promise<void> {
  for (;;) {
    const before = await rows.readIcon(ctx.db, me.memberId);
    if (!before) throw new ApiError("login_required"); // deleted since the request began
    const icon = await createIcon(ctx, me.memberId, before, change);
    let isSaved = false;
    try {
      isSaved = await save(ctx, me, change, before, icon);
    } finally {
      const unused = icon && !isSaved ? filesOnlyIn(icon, before) : [];
      for (const file of unused) await deleteMedia(ctx, me.memberId, file);
    }
    if (isSaved) return;
  }
}

/**
 * Returns false if the icon changed since `before`. The profile's lock orders parallel changes, and orders this
 * against the member's deletion.
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
    if (changesIcon(change) && !isSameIcon(old, before)) return false;

    const text = await decryptProfileText(ctx.encryption, me.memberId, old.encrypted_profile);
    throwIfInvalid(heightErrors(text, change));
    const newText = mergeText(text, change);
    const { icon_media, icon_process, clear_icon_media } = icon ?? old;
    for (const file of icon ? filesOnlyIn(icon, old) : []) await claimMedia(tx, me.memberId, file);
    await rows.updateProfile(tx, me.memberId, {
      encrypted_profile: await encryptProfileText(ctx.encryption, me.memberId, newText),
      icon_media,
      icon_process,
      clear_icon_media,
    });
    for (const file of icon ? filesOnlyIn(old, icon) : []) await releaseMedia(tx, ctx, me.memberId, file);
    if (clear_icon_media !== old.clear_icon_media)
      await ctx.domainEvents.emit(tx, "clear_icon_changed", { memberId: me.memberId });
    return true;
  });
}

/** Checks height and unit together with the saved values, for the valid fields only. */
export async function validateHeight(
  ctx: AppContext,
  me: MemberRef,
  right: Partial<Change>,
): Promise<FieldErrors> {
  const old = await ctx.db.transaction().execute((tx) => rows.lockProfile(tx, me.memberId));
  return old
    ? heightErrors(await decryptProfileText(ctx.encryption, me.memberId, old.encrypted_profile), right)
    : {};
}

function heightErrors(old: ProfileText, change: Partial<Change>): FieldErrors {
  const { tall = old.tall, tall_unit = old.tall_unit } = change;
  const isSent = change.tall !== undefined || change.tall_unit !== undefined;
  return { tall: isSent && tall !== null ? heightError(tall, tall_unit) : null };
}

function mergeText(old: ProfileText, change: Change): ProfileText {
  const sent = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...old, ...Object.fromEntries(sent) };
}
