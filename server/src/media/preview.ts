import type { AppContext } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { read } from "./files.ts";
import { processIcon, STORED_TYPE } from "./re-encode.ts";

/**
 * Shows its owner what processing makes of a picture; nothing is kept.
 *
 * @param subject whom previews are counted of
 * @throws preview_unavailable rather than showing what may be more softened than what is saved later
 */
export async function previewIcon(
  ctx: AppContext,
  subject: string | number,
  file: File,
): Promise<{ icon: string; faces: number }> {
  await ctx.rateLimits.consume("icon_previews", subject);
  const { jpeg, faces, isFinal } = await read(
    file,
    (picture) => processIcon(picture, ctx.faceDetector),
    "icon",
  );
  if (!isFinal) throw new ApiError("preview_unavailable");
  return { icon: `data:${STORED_TYPE};base64,${jpeg.toString("base64")}`, faces };
}
