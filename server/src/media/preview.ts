import type { IconPreview } from "@alcove/contract/users";
import type { AppContext } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { readUpload } from "./files.ts";
import { processIcon, toJpeg } from "./encoding/re-encode.ts";

/**
 * @param subject key of the queue
 * @throws preview_unavailable if face detection failed: a later save might process less
 */
export async function previewIcon(
  ctx: AppContext,
  subject: string | number,
  file: File,
): Promise<IconPreview> {
  const { pixels, faces, face, isFinal } = await readUpload(
    subject,
    file,
    (picture) => processIcon(picture, ctx.faceDetector),
    "icon",
  );
  if (!isFinal) throw new ApiError("preview_unavailable");
  return { icon: `data:image/jpeg;base64,${(await toJpeg(pixels)).toString("base64")}`, faces, face };
}
