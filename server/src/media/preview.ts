import type { Deps } from "../platform/context.ts";
import { refuse } from "../platform/errors.ts";
import { read } from "./files.ts";
import { processIcon, STORED_TYPE } from "./re-encode.ts";

/**
 * Shows its owner what processing makes of a picture; nothing is kept.
 *
 * @param subject whom previews are counted of
 * @throws preview_unavailable rather than showing what may be more softened than what is saved later
 */
export async function previewIcon(
  deps: Deps,
  subject: string | number,
  file: File,
): Promise<{ icon: string; faces: number }> {
  await deps.limits.take("icon_previews", subject);
  const { jpeg, faces, isFinal } = await read(file, (picture) => processIcon(picture, deps.faces), "icon");
  if (!isFinal) throw refuse("preview_unavailable");
  return { icon: `data:${STORED_TYPE};base64,${jpeg.toString("base64")}`, faces };
}
