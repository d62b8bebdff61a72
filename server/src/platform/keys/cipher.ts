import { createCipheriv, createDecipheriv, createSecretKey, type KeyObject } from "node:crypto";
import { randomFromPool } from "../lib/random-pool.ts";

/** The value was changed or moved, or its key is unknown. */
export class DecryptionError extends Error {
  override name = "DecryptionError";
}

const ALGORITHM = "aes-256-gcm";
export const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export const importKey = (bytes: Buffer): KeyObject => createSecretKey(bytes);

/** Returns head, nonce, ciphertext and tag. Head and context are authenticated. */
export function encrypt(
  key: KeyObject,
  head: Buffer,
  plain: Uint8Array,
  context: string,
  nonce = randomFromPool(NONCE_BYTES),
): Buffer {
  const cipher = createCipheriv(ALGORITHM, key, nonce);
  cipher.setAAD(Buffer.concat([head, Buffer.from(context)]));
  const body = cipher.update(plain);
  return Buffer.concat([head, nonce, body, cipher.final(), cipher.getAuthTag()]);
}

/** @throws DecryptionError */
export function decrypt(key: KeyObject, headLength: number, sealed: Buffer, context: string): Buffer {
  if (sealed.length < headLength + NONCE_BYTES + TAG_BYTES) throw new DecryptionError("too short");
  const nonce = sealed.subarray(headLength, headLength + NONCE_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, nonce);
  decipher.setAAD(Buffer.concat([sealed.subarray(0, headLength), Buffer.from(context)]));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  try {
    const plain = decipher.update(sealed.subarray(headLength + NONCE_BYTES, -TAG_BYTES));
    decipher.final(); // checks the tag; this mode returns no further bytes
    return plain;
  } catch (cause) {
    throw new DecryptionError("the encrypted value was changed or moved", { cause });
  }
}

const END = 0x80;

/** Adds a mark and zeros up to a multiple of `step`, to hide the length (ISO/IEC 7816-4). */
export function pad(plain: Uint8Array, step: number): Buffer {
  const padded = Buffer.alloc((Math.floor(plain.length / step) + 1) * step);
  padded.set(plain);
  padded[plain.length] = END;
  return padded;
}

export function unpad(padded: Buffer): Buffer {
  let end = padded.length - 1;
  while (end >= 0 && padded[end] === 0) end--;
  if (padded[end] !== END) throw new DecryptionError("the encrypted value has no padding");
  return padded.subarray(0, end);
}
