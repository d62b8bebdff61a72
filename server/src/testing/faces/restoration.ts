import sharp from "sharp";
import type { Square } from "./face-library.ts";

/** The code shows the number of flutes and the mean bend. Bend and offset of each flute stay unknown. */
export interface Glass {
  readonly flutes: number;
  readonly meanReach: number;
  /** Blur of the lost detail, in pixels. */
  readonly sigma: number;
}

const WORK_SIDE = 144;
const ROUNDS = 10;

/** Removes light and mean bend, joins repetitions of neighbouring flutes, and sharpens by deconvolution. */
export async function restore(picture: Square, glass: Glass): Promise<Square> {
  return deconvolve(unbend(picture, glass), glass.sigma);
}

export function average(pictures: readonly Square[]): Square {
  const { side } = pictures[0]!;
  const rgb = new Uint8Array(side * side * 3);
  for (let i = 0; i < rgb.length; i++)
    rgb[i] = pictures.reduce((sum, picture) => sum + picture.rgb[i]!, 0) / pictures.length;
  return { rgb, side };
}

function unbend({ rgb, side }: Square, { flutes, meanReach }: Glass): Square {
  const width = side / flutes;
  const sums = new Float64Array(side * side * 3);
  const weights = new Float64Array(side);
  for (let x = 0; x < side; x++) {
    const centre = (Math.min(flutes - 1, Math.floor((x + 0.5) / width)) + 0.5) * width;
    const u = Math.max(-1, Math.min(1, (x + 0.5 - centre) / (width / 2)));
    if (Math.abs(u) > 0.8) continue; // the groove
    const from = Math.floor(centre + (Math.asin(u) / (Math.PI / 2)) * width * meanReach);
    const gleam = 42 * Math.exp(-(((u + 0.52) / 0.13) ** 2)) + 14 * Math.exp(-(((u - 0.68) / 0.1) ** 2));
    for (let to = from - 2; to <= from + 2; to++) {
      if (to < 0 || to >= side) continue;
      weights[to]! += 1;
      for (let y = 0; y < side; y++)
        for (let c = 0; c < 3; c++)
          sums[(y * side + to) * 3 + c]! += (rgb[(y * side + x) * 3 + c]! - gleam) / (1 - 0.12 * u);
    }
  }
  const restored = new Uint8Array(rgb.length);
  for (let i = 0; i < restored.length; i++) {
    const weight = weights[Math.floor(i / 3) % side]!;
    restored[i] = weight > 0 ? Math.max(0, Math.min(255, sums[i]! / weight)) : rgb[i]!;
  }
  return { rgb: restored, side };
}

/** Richardson and Lucy's method with a Gaussian, at a size that keeps far more than the samples. */
async function deconvolve({ rgb, side }: Square, sigma: number): Promise<Square> {
  const small = await sharp(rgb, { raw: { width: side, height: side, channels: 3 } })
    .resize(WORK_SIDE, WORK_SIDE)
    .raw()
    .toBuffer();
  const seen = Float32Array.from(small, (value) => Math.max(1, value));
  const kernel = gaussian((sigma * WORK_SIDE) / side);
  let guess = seen;
  for (let round = 0; round < ROUNDS; round++) {
    const blurred = blur(guess, kernel);
    const correction = blur(
      seen.map((value, i) => value / Math.max(1, blurred[i]!)),
      kernel,
    );
    guess = guess.map((value, i) => Math.max(1, Math.min(255, value * correction[i]!)));
  }
  const restored = await sharp(Uint8Array.from(guess), {
    raw: { width: WORK_SIDE, height: WORK_SIDE, channels: 3 },
  })
    .resize(side, side, { kernel: "lanczos3" })
    .raw()
    .toBuffer();
  return { rgb: restored, side };
}

function gaussian(sigma: number): number[] {
  const radius = Math.ceil(sigma * 2.5);
  const values = Array.from({ length: 2 * radius + 1 }, (_, i) =>
    Math.exp(-((i - radius) ** 2) / (2 * sigma ** 2)),
  );
  const sum = values.reduce((total, value) => total + value);
  return values.map((value) => value / sum);
}

function blur(pixels: Float32Array, kernel: readonly number[]): Float32Array<ArrayBuffer> {
  return blurAlong(blurAlong(pixels, kernel, 3), kernel, WORK_SIDE * 3);
}

function blurAlong(pixels: Float32Array, kernel: readonly number[], step: number): Float32Array<ArrayBuffer> {
  const radius = (kernel.length - 1) / 2;
  const out = new Float32Array(pixels.length);
  for (let i = 0; i < pixels.length; i++) {
    const at = step === 3 ? Math.floor(i / 3) % WORK_SIDE : Math.floor(i / step);
    let sum = 0;
    for (let k = -radius; k <= radius; k++) {
      const shift = Math.max(-at, Math.min(WORK_SIDE - 1 - at, k));
      sum += pixels[i + shift * step]! * kernel[k + radius]!;
    }
    out[i] = sum;
  }
  return out;
}
