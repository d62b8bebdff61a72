import { keepIcon, keepProcessedIcon } from "../media/index.ts";
import type { Deps } from "../platform/deps.ts";

/** The picture that a profile shows: which one, and whether it is processed. */
export interface Icon {
  readonly icon_media: string | null;
  readonly icon_process: boolean;
}

/** What a member wants of its picture: another one, processed or not, or the same one processed. */
interface Wish {
  icon?: File | null | undefined;
  icon_process?: boolean | null | undefined;
}

export const isSameIcon = (one: Icon, other: Icon): boolean =>
  one.icon_media === other.icon_media && one.icon_process === other.icon_process;

/**
 * Makes the icon that a change asks for, to be claimed by its transaction; null when the old one stays.
 *
 * "If already processed and no new image chosen, shown as processed": no clear copy of it exists, whatever is asked. A
 * clear one is processed on request.
 */
export async function newIconFor(deps: Deps, no: number, old: Icon, wish: Wish): Promise<Icon | null> {
  if (wish.icon) {
    const process = wish.icon_process ?? old.icon_process;
    const { mediaId } = await keepIcon(deps, no, wish.icon, { process });
    return { icon_media: mediaId, icon_process: process };
  }
  if (!wish.icon_process || old.icon_process) return null;
  const processed = old.icon_media && (await keepProcessedIcon(deps, no, old.icon_media));
  return { icon_media: processed ? processed.mediaId : null, icon_process: true };
}
