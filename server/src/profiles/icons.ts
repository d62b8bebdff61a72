import { keepClearIcon, keepIcon, keepProcessedIcon } from "../media/index.ts";
import type { AppContext } from "../platform/context.ts";
import { validationError } from "../platform/errors.ts";

/** The picture that a profile shows: which one, whether it is processed, and the clear one kept behind it. */
export interface Icon {
  readonly icon_media: string | null;
  readonly icon_process: boolean;
  readonly clear_icon_media: string | null;
}

/** What a member wants of its picture: another one, processed or not, or the same one processed. */
interface IconChange {
  icon?: File | null | undefined;
  icon_process?: boolean | null | undefined;
  keep_clear_icon?: boolean | null | undefined;
}

export const isSameIcon = (one: Icon, other: Icon): boolean =>
  one.icon_media === other.icon_media &&
  one.icon_process === other.icon_process &&
  one.clear_icon_media === other.clear_icon_media;

/** The files of an icon that the other one does not have. */
export function filesOnlyIn(one: Icon, other: Icon): string[] {
  const others = new Set([other.icon_media, other.clear_icon_media]);
  return [one.icon_media, one.clear_icon_media].filter(
    (file) => file !== null && !others.has(file),
  ) as string[];
}

/**
 * Makes the icon that a change asks for, to be claimed by its transaction; null when the old one stays.
 *
 * "If already processed and no new image chosen, shown as processed": no clear copy of it is shown, whatever is asked.
 * A clear one is processed on request. Beside a processed one the clear version is kept only if asked for with the
 * picture itself, since nothing else has it.
 */
export async function createIcon(
  ctx: AppContext,
  memberId: number,
  old: Icon,
  change: IconChange,
): Promise<Icon | null> {
  if (change.icon) {
    const process = change.icon_process ?? old.icon_process;
    const { mediaId } = await keepIcon(ctx, memberId, change.icon, { process });
    const keepsClear = process && change.keep_clear_icon === true;
    const clear = keepsClear ? (await keepClearIcon(ctx, memberId, change.icon)).mediaId : null;
    return { icon_media: mediaId, icon_process: process, clear_icon_media: clear };
  }
  if (change.keep_clear_icon && old.clear_icon_media === null) throw validationError({ icon: "icon_again" });
  if (change.icon_process && !old.icon_process) {
    const processed = old.icon_media && (await keepProcessedIcon(ctx, memberId, old.icon_media));
    return { icon_media: processed ? processed.mediaId : null, icon_process: true, clear_icon_media: null };
  }
  const removesClear = change.keep_clear_icon === false && old.clear_icon_media !== null;
  return removesClear ? { ...old, clear_icon_media: null } : null;
}
