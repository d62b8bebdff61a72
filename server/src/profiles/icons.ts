import { storeClearIcon, storeIcon, storeProcessedIcon } from "../media/index.ts";
import type { AppContext } from "../platform/context.ts";
import { validationError } from "../platform/errors.ts";

/** `clear_icon_media` is the clear picture behind a processed icon. */
export interface Icon {
  readonly icon_media: string | null;
  readonly icon_process: boolean;
  readonly clear_icon_media: string | null;
}

interface IconChange {
  icon?: File | null | undefined;
  icon_process?: boolean | null | undefined;
  keep_clear_icon?: boolean | null | undefined;
}

export const isSameIcon = (one: Icon, other: Icon): boolean =>
  one.icon_media === other.icon_media &&
  one.icon_process === other.icon_process &&
  one.clear_icon_media === other.clear_icon_media;

export function filesOnlyIn(one: Icon, other: Icon): string[] {
  const others = new Set([other.icon_media, other.clear_icon_media]);
  return [one.icon_media, one.clear_icon_media].filter(
    (file) => file !== null && !others.has(file),
  ) as string[];
}

/**
 * Creates the icon of a change, for its transaction to claim. Returns null if the icon stays.
 *
 * Each picture that is processed counts for the member's limit. A processed icon never becomes clear again without a new upload. Beside a processed icon, the clear picture is kept
 * only if requested with the upload.
 */
export async function createIcon(
  ctx: AppContext,
  memberId: number,
  old: Icon,
  change: IconChange,
): Promise<Icon | null> {
  if (change.icon) {
    await ctx.rateLimits.consume("saved_pictures", memberId);
    const process = change.icon_process ?? old.icon_process;
    const { mediaId } = await storeIcon(ctx, memberId, change.icon, { process });
    const keepsClear = process && change.keep_clear_icon === true;
    const clear = keepsClear ? (await storeClearIcon(ctx, memberId, change.icon)).mediaId : null;
    return { icon_media: mediaId, icon_process: process, clear_icon_media: clear };
  }
  if (change.keep_clear_icon && old.clear_icon_media === null) throw validationError({ icon: "icon_again" });
  if (change.icon_process && !old.icon_process) {
    if (old.icon_media) await ctx.rateLimits.consume("saved_pictures", memberId);
    const processed = old.icon_media && (await storeProcessedIcon(ctx, memberId, old.icon_media));
    return { icon_media: processed ? processed.mediaId : null, icon_process: true, clear_icon_media: null };
  }
  const removesClear = change.keep_clear_icon === false && old.clear_icon_media !== null;
  return removesClear ? { ...old, clear_icon_media: null } : null;
}
