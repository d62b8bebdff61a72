import sharp, { type Sharp } from "sharp";
import { ICON_PIXELS } from "@alcove/contract/limits";
import type { FaceDetector } from "../integrations/face-detection/face-detection.ts";
import { FORMAT_BYTES, imageFormatOf } from "./image-format.ts";
import { MAX_SCANS, countScans } from "./jpeg-scans.ts";
import { maskFaces, blend } from "./face-pixelation.ts";

export class UnusableImageError extends Error {
  override name = "NotRedrawn";
  readonly reason: "not_an_image" | "image_unreadable" | "image_too_large";

  constructor(reason: UnusableImageError["reason"], cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

export const STORED_TYPE = "image/jpeg";

/** Admits 50-megapixel photos, but no small file that expands to more. */
const MAX_PIXELS = 52_000_000;
const MAX_SIDE = 2_048;
/** A longer strip would be expensive to enlarge. */
const MAX_ASPECT_RATIO = 20;
const TIMEOUT_SECONDS = 20;
/** Too few to recognise even a face that fills the picture. */
const CELLS_PER_SIDE = 8;

// The cache would keep clear pixels of pictures that are to be pixelated.
sharp.cache(false);

export function reEncodeIcon(file: File): Promise<Buffer> {
  return reEncode(file, (image) => toJpeg(squareOf(image)));
}

export interface PixelatedIcon {
  readonly jpeg: Buffer;
  readonly faces: number;
  /** False if face detection failed: another attempt may pixelate less. */
  readonly isFinal: boolean;
}

/**
 * Pixelates the faces with hair and chin, or in any doubt the whole picture.
 */
export async function pixelateIcon(file: File, finder: FaceDetector): Promise<PixelatedIcon> {
  const clear = await reEncode(file, (image) =>
    squareOf(image).flatten({ background: "white" }).toColourspace("srgb").raw().toBuffer(),
  );
  const [pixelated, sightings] = [await pixelate(clear), await finder.detect(clear, ICON_PIXELS)];
  const mask = typeof sightings === "string" ? null : maskFaces(sightings, ICON_PIXELS);
  const jpeg = await toJpeg(fromPixels(mask ? blend(clear, pixelated, mask) : pixelated));
  return { jpeg, faces: mask?.faces ?? 0, isFinal: sightings !== "failed" };
}

function squareOf(image: Sharp): Sharp {
  return image.resize(ICON_PIXELS, ICON_PIXELS, { fit: "cover" });
}

function toJpeg(image: Sharp): Promise<Buffer> {
  return image.flatten({ background: "white" }).jpeg({ quality: 82 }).toBuffer();
}

function fromPixels(rgb: Uint8Array): Sharp {
  return sharp(rgb, { raw: { width: ICON_PIXELS, height: ICON_PIXELS, channels: 3 } });
}

/** The first frame of an animation. */
export function reEncodePicture(file: File): Promise<Buffer> {
  return reEncode(file, (image) =>
    toJpeg(image.resize(MAX_SIDE, MAX_SIDE, { fit: "inside", withoutEnlargement: true })),
  );
}

/**
 * Averages to a few cells and enlarges these. The lost detail cannot be restored.
 */
async function pixelate(rgb: Buffer): Promise<Buffer> {
  const cells = await fromPixels(rgb)
    .resize(CELLS_PER_SIDE, CELLS_PER_SIDE, { kernel: "linear" })
    .png()
    .toBuffer();
  return sharp(cells)
    .resize(ICON_PIXELS, ICON_PIXELS, { kernel: "cubic" })
    .toColourspace("srgb")
    .removeAlpha()
    .raw()
    .toBuffer();
}

async function reEncode(file: File, encode: (upright: Sharp) => Promise<Buffer>): Promise<Buffer> {
  const format = imageFormatOf(await bytesOf(file.slice(0, FORMAT_BYTES)));
  if (!format) throw new UnusableImageError("not_an_image");
  const bytes = await bytesOf(file);
  if (format === "jpeg" && countScans(bytes) > MAX_SCANS) throw new UnusableImageError("image_unreadable");
  const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: "truncated", pages: 1 });
  const { format: readAs, width, height } = await image.metadata().catch(throwUnusable);
  if (readAs !== format) throw new UnusableImageError("not_an_image");
  if (width * height > MAX_PIXELS) throw new UnusableImageError("image_too_large");
  if (Math.max(width, height) > MAX_ASPECT_RATIO * Math.min(width, height))
    throw new UnusableImageError("image_unreadable");
  try {
    return await encode(image.autoOrient().timeout({ seconds: TIMEOUT_SECONDS }));
  } catch (error) {
    return throwUnusable(error);
  }
}

async function bytesOf(blob: Blob): Promise<Buffer> {
  return Buffer.from(await blob.arrayBuffer());
}

function throwUnusable(error: unknown): never {
  const isTooLarge = error instanceof Error && /pixel limit|too large/i.test(error.message);
  throw new UnusableImageError(isTooLarge ? "image_too_large" : "image_unreadable", error);
}
