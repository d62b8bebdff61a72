import { randomInt } from "node:crypto";
import sharp, { type Sharp } from "sharp";
import { ICON_PIXELS, ICON_WIDTHS, MESSAGE_IMAGE_WIDTHS } from "@alcove/contract/limits";
import type { FaceDetector } from "../../integrations/face-detection/face-detection.ts";
import { maskFaces } from "./face-mask.ts";
import { FORMAT_BYTES, imageFormatOf } from "./image-format.ts";
import { MAX_SCANS, countScans } from "./jpeg-scans.ts";
import { packVariants, type PictureFormat, type Variant } from "./picture-set.ts";
import { behindReededGlass, secret } from "./reeded-glass.ts";

export class UnusableImageError extends Error {
  override name = "UnusableImageError";
  readonly reason: "not_an_image" | "image_unreadable" | "image_too_large";

  constructor(reason: UnusableImageError["reason"], cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

export interface Pixels {
  readonly rgb: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Admits 50-megapixel photos, but no small file that expands to more. */
const MAX_PIXELS = 52_000_000;
const MAX_SIDE = 2_048;
/** A longer strip would be expensive to enlarge. */
const MAX_ASPECT_RATIO = 20;
const TIMEOUT_SECONDS = 20;
/** Too few samples of a face with its hair for eyes, mouth or identity. */
export const FACE_SAMPLES = { across: 3, down: 4 };
/** Without a mask: few even for a face that fills the picture. */
const PICTURE_SAMPLES = { across: 4, down: 5 };
const LIGHT_NOISE = 14;
const COLOUR_NOISE = 3;
const SATURATION = 1.35;
const FACE_AND_HAIR = 4 / 3;
const USUAL_FACE_WIDTH = 0.5;

// The cache would keep clear pixels of pictures that are to be processed.
sharp.cache(false);

export function readIcon(file: File): Promise<Pixels> {
  return readUpright(file, (image) => image.resize(ICON_PIXELS, ICON_PIXELS, { fit: "cover" }));
}

export function readMessageImage(file: File): Promise<Pixels> {
  return readUpright(file, (image) =>
    image.resize(MAX_SIDE, MAX_SIDE, { fit: "inside", withoutEnlargement: true }),
  );
}

export const packIcon = (pixels: Pixels): Promise<Buffer> => pack(pixels, ICON_WIDTHS);
export const packMessageImage = (pixels: Pixels): Promise<Buffer> => pack(pixels, MESSAGE_IMAGE_WIDTHS);

export interface ProcessedIcon {
  readonly pixels: Pixels;
  readonly faces: number;
  /** False if face detection failed: another attempt may process less. */
  readonly isFinal: boolean;
}

/** In any doubt, processes the whole picture instead of the faces. */
export async function processIcon(file: File, finder: FaceDetector): Promise<ProcessedIcon> {
  const clear = await readIcon(file);
  const sightings = await finder.detect(clear.rgb, ICON_PIXELS);
  const mask = typeof sightings === "string" ? null : maskFaces(sightings, ICON_PIXELS);
  const faceWidth = mask ? mask.longest * FACE_AND_HAIR : USUAL_FACE_WIDTH;
  const samples = mask ? samplesFor(faceWidth) : PICTURE_SAMPLES;
  const rgb = await behindReededGlass({
    side: ICON_PIXELS,
    clear: clear.rgb,
    soft: await soften(clear, samples),
    strength: mask?.alpha ?? null,
    faceWidth,
  });
  return { pixels: { ...clear, rgb }, faces: mask?.faces ?? 0, isFinal: sightings !== "failed" };
}

interface Samples {
  readonly across: number;
  readonly down: number;
}

function samplesFor(faceWidth: number): Samples {
  const { across, down } = FACE_SAMPLES;
  return {
    across: Math.max(across, Math.round(across / faceWidth)),
    down: Math.max(down, Math.round(down / faceWidth)),
  };
}

/**
 * Few samples remain, with random changes: the lost detail cannot be restored. They start at a random place, so that a
 * face is divided anew each time.
 */
async function soften(pixels: Pixels, { across, down }: Samples): Promise<Buffer> {
  const { width, height } = pixels;
  const [cellWidth, cellHeight] = [Math.round(width / across), Math.round(height / down)];
  const [left, top] = [randomInt(cellWidth), randomInt(cellHeight)];
  const extended = await sharpOf(pixels)
    .extend({ left, top, right: cellWidth - left, bottom: cellHeight - top, extendWith: "mirror" })
    .raw()
    .toBuffer();
  const whole = { width: width + cellWidth, height: height + cellHeight };
  const few = { width: across + 1, height: down + 1 };
  const rgb = await sharpOf({ rgb: extended, ...whole })
    .resize(few.width, few.height, { fit: "fill", kernel: "linear" })
    .modulate({ saturation: SATURATION })
    .raw()
    .toBuffer();
  for (let i = 0; i < rgb.length; i += 3) {
    const light = secret() * LIGHT_NOISE;
    for (let c = i; c < i + 3; c++) rgb[c] = roundColour(rgb[c]! + light + secret() * COLOUR_NOISE);
  }
  const enlarged = await sharpOf({ rgb, ...few })
    .resize(whole.width, whole.height, { fit: "fill", kernel: "cubic" })
    .raw()
    .toBuffer();
  return sharpOf({ rgb: enlarged, ...whole })
    .extract({ left, top, width, height })
    .raw()
    .toBuffer();
}

const roundColour = (value: number): number => Math.max(0, Math.min(255, Math.round(value / 8) * 8));

function sharpOf({ rgb, width, height }: Pixels): Sharp {
  return sharp(rgb, { raw: { width, height, channels: 3 } });
}

export function toJpeg(pixels: Pixels): Promise<Buffer> {
  return sharpOf(pixels).jpeg({ quality: 82 }).toBuffer();
}

async function pack(pixels: Pixels, widths: readonly number[]): Promise<Buffer> {
  const variants: Variant[] = [{ format: "jpeg", width: pixels.width, bytes: await toJpeg(pixels) }];
  const smaller = widths.filter((width) => width < pixels.width);
  const largest = Math.min(pixels.width, Math.max(...widths));
  for (const width of [...smaller.filter((one) => one < largest), largest]) {
    for (const format of ["webp", "avif"] as const)
      variants.push({ format, width, bytes: await encode(pixels, width, format) });
  }
  return packVariants(variants);
}

/** More effort costs three times the time for a seventh of the bytes (ADR 0042). */
function encode(pixels: Pixels, width: number, format: Exclude<PictureFormat, "jpeg">): Promise<Buffer> {
  const image = sharpOf(pixels).resize(width);
  const isLarge = width > ICON_PIXELS;
  return format === "webp"
    ? image.webp({ quality: 80, effort: isLarge ? 2 : 4 }).toBuffer()
    : image.avif({ quality: 60, effort: 0 }).toBuffer();
}

async function readUpright(file: File, resize: (upright: Sharp) => Sharp): Promise<Pixels> {
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
    const { data, info } = await resize(image.autoOrient().timeout({ seconds: TIMEOUT_SECONDS }))
      .flatten({ background: "white" })
      .toColourspace("srgb")
      .raw()
      .toBuffer({ resolveWithObject: true });
    return { rgb: data, width: info.width, height: info.height };
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
