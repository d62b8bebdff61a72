import sharp, { type Sharp } from "sharp";
import { ICON_PIXELS } from "@alcove/contract/limits";
import type { FaceDetector } from "../integrations/face-detection/face-detection.ts";
import { FORMAT_BYTES, imageFormatOf } from "./image-format.ts";
import { MOST_SCANS, scansOf } from "./jpeg-scans.ts";
import { coverFaces, mix } from "./face-pixelation.ts";
import { semaphore } from "../platform/lib/semaphore.ts";

/** Why a file was not taken as an image; the words are keys of the field messages. */
export class NotRedrawn extends Error {
  override name = "NotRedrawn";
  readonly reason: "not_an_image" | "image_unreadable" | "image_too_large";

  constructor(reason: NotRedrawn["reason"], cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/** What every stored image is, whatever it came as. */
export const STORED_TYPE = "image/jpeg";

/** The 50 megapixels of a telephone's camera pass; a small file that unfolds into more does not. */
const MOST_PIXELS = 52_000_000;
const LONGEST_SIDE = 2_048;
/** A strip longer than this is no picture of anything, and enlarging its short side costs without end. */
const MOST_STRETCHED = 20;
const TIMEOUT_SECONDS = 20;
/** How many cells a processed picture keeps along a side: with so few, not even a face that fills it is known. */
const CELLS = 8;

// The library keeps recent pixels in memory otherwise: clear ones too, of pictures that are to be processed.
sharp.cache(false);

/** One image a core of a small machine: the others wait, so that memory stays bounded and other work goes on. */
const inTurn = semaphore(2);

/** Redraws a file as a square icon without metadata, on which all is as clear as it was. */
export function redrawIcon(file: File): Promise<Buffer> {
  return redraw(file, (image) => asJpeg(squareOf(image)));
}

/** An icon on which nobody can be recognised. */
export interface Processed {
  readonly jpeg: Buffer;
  /** How many faces were softened; 0 where it was the whole picture. */
  readonly faces: number;
  /** False where faces could not be looked for this time: another time the same picture may keep more. */
  readonly isFinal: boolean;
}

/**
 * Redraws a file as a square icon without metadata and softens the faces on it, with hair and chin; wherever there is
 * the least doubt, the whole picture.
 */
export async function processIcon(file: File, finder: FaceDetector): Promise<Processed> {
  const clear = await redraw(file, (image) =>
    squareOf(image).flatten({ background: "white" }).toColourspace("srgb").raw().toBuffer(),
  );
  const [soft, sightings] = [await softened(clear), await finder.find(clear, ICON_PIXELS)];
  const cover = typeof sightings === "string" ? null : coverFaces(sightings, ICON_PIXELS);
  const jpeg = await asJpeg(ofPixels(cover ? mix(clear, soft, cover) : soft));
  return { jpeg, faces: cover?.faces ?? 0, isFinal: sightings !== "failed" };
}

function squareOf(image: Sharp): Sharp {
  return image.resize(ICON_PIXELS, ICON_PIXELS, { fit: "cover" });
}

/** Written without a word on metadata, none is kept, and colours are plain sRGB. */
function asJpeg(image: Sharp): Promise<Buffer> {
  return image.flatten({ background: "white" }).jpeg({ quality: 82 }).toBuffer();
}

function ofPixels(rgb: Uint8Array): Sharp {
  return sharp(rgb, { raw: { width: ICON_PIXELS, height: ICON_PIXELS, channels: 3 } });
}

/** Redraws a file as a picture of bounded size without metadata; of a moving one the first frame. */
export function redrawPicture(file: File): Promise<Buffer> {
  return redraw(file, (image) =>
    asJpeg(image.resize(LONGEST_SIDE, LONGEST_SIDE, { fit: "inside", withoutEnlargement: true })),
  );
}

/**
 * Averages the picture down to a few cells and draws those smoothly: what lies between was never stored and cannot be
 * won back.
 */
async function softened(rgb: Buffer): Promise<Buffer> {
  const cells = await ofPixels(rgb).resize(CELLS, CELLS, { kernel: "linear" }).png().toBuffer();
  return sharp(cells)
    .resize(ICON_PIXELS, ICON_PIXELS, { kernel: "cubic" })
    .toColourspace("srgb")
    .removeAlpha()
    .raw()
    .toBuffer();
}

async function redraw(file: File, draw: (upright: Sharp) => Promise<Buffer>): Promise<Buffer> {
  const format = imageFormatOf(await bytesOf(file.slice(0, FORMAT_BYTES)));
  if (!format) throw new NotRedrawn("not_an_image");
  return inTurn(async () => {
    // Read only now: of those that wait no second copy is in memory.
    const bytes = await bytesOf(file);
    if (format === "jpeg" && scansOf(bytes) > MOST_SCANS) throw new NotRedrawn("image_unreadable");
    const image = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: "truncated", pages: 1 });
    const { format: readAs, width, height } = await image.metadata().catch(notRedrawn);
    if (readAs !== format) throw new NotRedrawn("not_an_image");
    if (width * height > MOST_PIXELS) throw new NotRedrawn("image_too_large");
    if (Math.max(width, height) > MOST_STRETCHED * Math.min(width, height))
      throw new NotRedrawn("image_unreadable");
    try {
      return await draw(image.autoOrient().timeout({ seconds: TIMEOUT_SECONDS }));
    } catch (error) {
      return notRedrawn(error);
    }
  });
}

async function bytesOf(blob: Blob): Promise<Buffer> {
  return Buffer.from(await blob.arrayBuffer());
}

function notRedrawn(error: unknown): never {
  const isTooLarge = error instanceof Error && /pixel limit|too large/i.test(error.message);
  throw new NotRedrawn(isTooLarge ? "image_too_large" : "image_unreadable", error);
}
