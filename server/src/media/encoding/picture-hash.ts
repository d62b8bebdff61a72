import { type Pixels, sharpOf } from "./lost-detail.ts";

const SIDE = 16;
const BITS = 128;
const MIN_CONTRAST = 8;

/**
 * A hash survives a new encoding and another size, but not reeded glass: it is made before.
 *
 * Each bit is the side of a secret plane on which a small grey copy lies. Without the key it cannot be computed.
 *
 * @param planeOf returns 32 secret bytes for a number
 * @returns null for a picture of one colour
 */
export async function hashPicture(pixels: Pixels, planeOf: (bit: number) => Buffer): Promise<Buffer | null> {
  const grey = await sharpOf(pixels)
    .greyscale()
    .resize(SIDE, SIDE, { fit: "fill", kernel: "cubic" })
    .raw()
    .toBuffer();
  if (Math.max(...grey) - Math.min(...grey) < MIN_CONTRAST) return null;
  const mean = grey.reduce((sum, value) => sum + value, 0) / grey.length;
  const hash = Buffer.alloc(BITS / 8);
  for (let bit = 0; bit < BITS; bit++) {
    const plane = planeOf(bit);
    let side = 0;
    for (let i = 0; i < grey.length; i++) {
      const isPositive = (plane[i >> 3]! >> (i & 7)) & 1;
      side += (grey[i]! - mean) * (isPositive ? 1 : -1);
    }
    if (side > 0) hash[bit >> 3]! |= 1 << (bit & 7);
  }
  return hash;
}
