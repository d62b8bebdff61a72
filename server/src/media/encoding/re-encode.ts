import sharp, { type Sharp } from "sharp";
import {
  ICON_PIXELS,
  ICON_WIDTHS,
  IMAGE_MAX_MEGAPIXELS,
  IMAGE_MAX_RATIO,
  MESSAGE_IMAGE_WIDTHS,
} from "@alcove/contract/limits";
import type { FaceDetector } from "../../integrations/face-detection/face-detection.ts";
import { FORMAT_BYTES, imageFormatOf, isHeic } from "./image-format.ts";
import { MAX_SCANS, countScans } from "./jpeg-scans.ts";
import { loseDetail, type Pixels, sharpOf } from "./lost-detail.ts";
import { type FaceBox, maskPeople } from "./people-mask.ts";
import { packVariants, type PictureFormat, type Variant } from "./picture-set.ts";
import { behindReededGlass } from "./reeded-glass.ts";

export class UnusableImageError extends Error {
  override name = "UnusableImageError";
  readonly reason: "not_an_image" | "image_unreadable" | "image_too_many_pixels" | "image_too_long";

  constructor(reason: UnusableImageError["reason"], cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

const MAX_PIXELS = (IMAGE_MAX_MEGAPIXELS + 2) * 1_000_000;
const MAX_SIDE = 2_048;
const TIMEOUT_SECONDS = 20;
const JPEG_END = Buffer.of(0xff, 0xd9);
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

export const packJpeg = (pixels: Pixels): Promise<Buffer> => pack(pixels, []);

export interface ProcessedIcon {
  readonly pixels: Pixels;
  /** For the hash alone. */
  readonly clear: Pixels;
  readonly faces: number;
  readonly face: FaceBox | null;
  /** False if face detection failed: another attempt may process less. */
  readonly isFinal: boolean;
}

/** The whole picture loses its detail, people less than the rest. In any doubt all of it is the rest. */
export async function processIcon(file: File, finder: FaceDetector): Promise<ProcessedIcon> {
  const clear = await readIcon(file);
  const sightings = await finder.detect(clear.rgb, ICON_PIXELS);
  const mask = typeof sightings === "string" ? null : maskPeople(sightings, ICON_PIXELS);
  const faceWidth = mask ? mask.longest * FACE_AND_HAIR : USUAL_FACE_WIDTH;
  const rgb = await behindReededGlass(await loseDetail(clear, mask), faceWidth);
  const { faces = 0, face = null } = mask ?? {};
  return { pixels: { ...clear, rgb }, clear, faces, face, isFinal: sightings !== "failed" };
}

export function toJpeg(pixels: Pixels): Promise<Buffer> {
  return sharpOf(pixels).jpeg({ quality: 82 }).toBuffer();
}

async function pack(pixels: Pixels, widths: readonly number[]): Promise<Buffer> {
  const variants: Variant[] = [{ format: "jpeg", width: pixels.width, bytes: await toJpeg(pixels) }];
  const smaller = widths.filter((width) => width < pixels.width);
  if (widths.length === 0) return packVariants(variants);
  const largest = Math.min(pixels.width, Math.max(...widths));
  for (const width of [...smaller.filter((one) => one < largest), largest]) {
    for (const format of ["webp", "avif"] as const)
      variants.push({ format, width, bytes: await encode(pixels, width, format) });
  }
  return packVariants(variants);
}

/** More effort costs three times the time for a seventh of the bytes (ADR 0028). */
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
  const open = (input: Buffer, failOn: "truncated" | "warning") =>
    sharp(input, { limitInputPixels: MAX_PIXELS, failOn, pages: 1 });
  const image = open(bytes, "truncated");
  const unusable = unusableAs(bytes);
  const { format: readAs, width, height } = await image.metadata().catch(unusable);
  if (readAs !== format) throw new UnusableImageError("not_an_image");
  if (width * height > MAX_PIXELS) throw new UnusableImageError("image_too_many_pixels");
  if (Math.max(width, height) > IMAGE_MAX_RATIO * Math.min(width, height))
    throw new UnusableImageError("image_too_long");
  const decode = (from: Sharp) =>
    decodePixels(resize(from.autoOrient().timeout({ seconds: TIMEOUT_SECONDS })));
  const decoded = decode(image);
  if (format !== "jpeg") return decoded.catch(unusable);
  // Phones leave out the last marker.
  return decoded.catch(() => decode(open(Buffer.concat([bytes, JPEG_END]), "warning"))).catch(unusable);
}

async function decodePixels(image: Sharp): Promise<Pixels> {
  const { data, info } = await image
    .flatten({ background: "white" })
    .toColourspace("srgb")
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { rgb: data, width: info.width, height: info.height };
}

async function bytesOf(blob: Blob): Promise<Buffer> {
  return Buffer.from(await blob.arrayBuffer());
}

function unusableAs(bytes: Buffer): (error: unknown) => never {
  return (error) => {
    const hasTooManyPixels = error instanceof Error && /pixel limit|too large/i.test(error.message);
    const broken = isHeic(bytes) ? "not_an_image" : "image_unreadable";
    throw new UnusableImageError(hasTooManyPixels ? "image_too_many_pixels" : broken, error);
  };
}
