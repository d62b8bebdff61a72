import type { IconPreview } from "@alcove/contract/users";

/** In the picture's own pixels. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface Sides {
  readonly width: number;
  readonly height: number;
}

/** Enough to find a face, and little to send. */
const COPY_PX = 480;
const JPEG_QUALITY = 0.8;
/** The crop's side in lengths of the face. */
const ROOM = 2.4;
/** Where the face's middle is in the crop, from its top. */
const FACE_AT = 0.46;

/** Sends a small copy in a square, as the server expects it. Returns null without a certain face, or if the server cannot look. */
export async function findFace(
  picture: Blob,
  preview: (copy: File) => Promise<IconPreview>,
): Promise<Box | null> {
  try {
    const bitmap = await createImageBitmap(picture);
    const longer = Math.max(bitmap.width, bitmap.height);
    const { face } = await preview(await squareCopy(bitmap, longer));
    const sides = { width: bitmap.width, height: bitmap.height };
    bitmap.close();
    return face && faceInPicture(face, sides);
  } catch {
    return null; // the crop begins in the middle
  }
}

async function squareCopy(bitmap: ImageBitmap, longer: number): Promise<File> {
  const side = Math.min(COPY_PX, longer);
  const scale = side / longer;
  const canvas = new OffscreenCanvas(side, side);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser cannot draw");
  context.fillStyle = "#fff";
  context.fillRect(0, 0, side, side);
  context.drawImage(bitmap, 0, 0, bitmap.width * scale, bitmap.height * scale);
  const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: JPEG_QUALITY });
  return new File([blob], "copy.jpg", { type: "image/jpeg" });
}

/** @param face as shares of the square that holds the picture at its top left corner */
export function faceInPicture(face: Box, { width, height }: Sides): Box {
  const side = Math.max(width, height);
  return { x: face.x * side, y: face.y * side, width: face.width * side, height: face.height * side };
}

/** The square around a face that lies within the picture. */
export function squareAround(face: Box, { width, height }: Sides): Box {
  const side = Math.min(width, height, ROOM * Math.max(face.width, face.height));
  const within = (at: number, end: number) => Math.max(0, Math.min(end - side, at));
  return {
    x: within(face.x + face.width / 2 - side / 2, width),
    y: within(face.y + face.height / 2 - side * FACE_AT, height),
    width: side,
    height: side,
  };
}
