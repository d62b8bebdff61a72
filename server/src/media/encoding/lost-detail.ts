import { randomInt } from "node:crypto";
import sharp, { type Sharp } from "sharp";
import type { PeopleMask } from "./people-mask.ts";

export interface Pixels {
  readonly rgb: Buffer;
  readonly width: number;
  readonly height: number;
}

/** Samples of the whole picture: too few for a face, and for a room to be found again. */
export const SAMPLES = { people: { across: 2, down: 3 }, background: { across: 2, down: 2 } };
const LIGHT_NOISE = 28;
const COLOUR_NOISE = 6;
const SATURATION = 1.6;
const LEVEL = { min: 85, max: 150 };
const CONTRAST = 0.68;
const WARMTH = 20;
const LAMP = { min: 20, max: 65, red: 1, green: 0.78, blue: 0.5 };

/** From -1 to 1. */
export function secret(): number {
  return randomInt(-1_000, 1_001) / 1_000;
}

const between = (min: number, max: number): number => min + ((secret() + 1) / 2) * (max - min);
const toByte = (value: number): number => Math.max(0, Math.min(255, Math.round(value)));

export function sharpOf({ rgb, width, height }: Pixels): Sharp {
  return sharp(rgb, { raw: { width, height, channels: 3 } });
}

/** Noise, level, warmth and lamp are secret and kept nowhere (docs/media.md, Can the original be found?). */
export async function loseDetail(pixels: Pixels, mask: PeopleMask | null): Promise<Pixels> {
  const background = await soften(pixels, SAMPLES.background);
  const people = mask && (await soften(pixels, SAMPLES.people));
  if (!mask || !people) return { ...pixels, rgb: relight({ ...pixels, rgb: background }) };
  const rgb = Buffer.alloc(background.length);
  for (let pixel = 0, i = 0; i < rgb.length; pixel++)
    for (const end = i + 3; i < end; i++)
      rgb[i] = background[i]! + (people[i]! - background[i]!) * mask.alpha[pixel]!;
  return { ...pixels, rgb: relight({ ...pixels, rgb }) };
}

async function soften(
  pixels: Pixels,
  { across, down }: { readonly across: number; readonly down: number },
): Promise<Buffer> {
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
    for (let c = i; c < i + 3; c++)
      rgb[c] = toByte(Math.round((rgb[c]! + light + secret() * COLOUR_NOISE) / 8) * 8);
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

function relight({ rgb, width, height }: Pixels): Buffer {
  const mean = rgb.reduce((sum, value) => sum + value, 0) / rgb.length;
  const level = between(LEVEL.min, LEVEL.max) - mean * CONTRAST;
  const warmth = secret() * WARMTH;
  const [red, green, blue] = [level + warmth, level + secret() * WARMTH * 0.35, level - warmth];
  const lamp = between(LAMP.min, LAMP.max);
  const radius = between(0.35, 0.65);
  const across = fading(width, 0.5 + secret() * 0.5, radius);
  const down = fading(height, 0.4 + secret() * 0.5, radius * 1.3);
  const out = Buffer.alloc(rgb.length);
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i += 3) {
      const glow = lamp * across[x]! * down[y]!;
      out[i] = toByte(rgb[i]! * CONTRAST + red + glow * LAMP.red);
      out[i + 1] = toByte(rgb[i + 1]! * CONTRAST + green + glow * LAMP.green);
      out[i + 2] = toByte(rgb[i + 2]! * CONTRAST + blue + glow * LAMP.blue);
    }
  }
  return out;
}

function fading(length: number, middle: number, radius: number): Float64Array {
  return Float64Array.from({ length }, (_, i) => Math.exp(-(((i / length - middle) / radius) ** 2)));
}
