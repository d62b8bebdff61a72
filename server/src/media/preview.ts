import type { AppContext } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { readUpload } from "./files.ts";
import { pixelateIcon, STORED_TYPE } from "./re-encode.ts";

/**
 * @param subject key of the rate limit and of the queue
 * @throws preview_unavailable if face detection failed: a later save might pixelate less
 */
export async function previewIcon(
  ctx: AppContext,
  subject: string | number,
  file: File,
): Promise<{ icon: string; faces: number }> {
  await ctx.rateLimits.consume("icon_previews", subject);
  const { jpeg, faces, isFinal } = await readUpload(
    subject,
    file,
    (picture) => pixelateIcon(picture, ctx.faceDetector),
    "icon",
  );
  if (!isFinal) throw new ApiError("preview_unavailable");
  return { icon: `data:${STORED_TYPE};base64,${jpeg.toString("base64")}`, faces };
}
