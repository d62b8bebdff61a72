import { randomBytes } from "node:crypto";

const POOL_BYTES = 4_096;
let pool = Buffer.alloc(0);

/** Reads ahead, because one read takes longer than an encryption. */
export function randomFromPool(size: number): Buffer {
  if (pool.length < size) pool = randomBytes(POOL_BYTES);
  const bytes = pool.subarray(0, size);
  pool = pool.subarray(size);
  return bytes;
}
