import { createHmac, hkdfSync } from "node:crypto";
import { decrypt, DecryptionError, encrypt, NONCE_BYTES, pad, unpad } from "./cipher.ts";
import { type DataKeys, KeyDestroyedError } from "./data-keys.ts";

/** Texts are padded to a multiple of this. */
const TEXT_STEP = 256;
export const HANDLE_STEP = 32;
export const PICTURE_STEP = 16 * 1024;

type BlindIndex = (value: string, purpose: string) => Buffer;

const VERSION = 2;
const HEAD_BYTES = 9;

/**
 * A value cannot be decrypted under another `context` (table, column, row key). `docs/stored-data.md` lists the owners of
 * keys.
 */
export class Encryption {
  readonly keys: DataKeys;
  /** A keyed digest finds a value without storing it. Each `purpose` has other digests. */
  readonly blindIndex: BlindIndex;

  constructor(keys: DataKeys, blindIndex: BlindIndex) {
    this.keys = keys;
    this.blindIndex = blindIndex;
  }

  /** @param keyId a member's number, or the id of another data key */
  async encrypt(keyId: number, plain: string, context: string, step = TEXT_STEP): Promise<Buffer> {
    return this.encryptBytes(keyId, Buffer.from(plain), context, step);
  }

  /**
   * @throws KeyDestroyedError
   * @throws DecryptionError for a changed or moved value
   */
  async decrypt(encrypted: Buffer, context: string): Promise<string> {
    return (await this.decryptBytes(encrypted, context)).toString();
  }

  /** Returns null if the key was destroyed. */
  async decryptIfKept(encrypted: Buffer, context: string): Promise<string | null> {
    try {
      return await this.decrypt(encrypted, context);
    } catch (error) {
      if (error instanceof KeyDestroyedError) return null;
      throw error;
    }
  }

  async encryptBytes(keyId: number, plain: Uint8Array, context: string, step: number): Promise<Buffer> {
    const head = Buffer.alloc(HEAD_BYTES);
    head[0] = VERSION;
    head.writeBigInt64BE(BigInt(keyId), 1);
    return encrypt(await this.keys.find(keyId), head, pad(plain, step), context);
  }

  async decryptBytes(encrypted: Buffer, context: string): Promise<Buffer> {
    const key = await this.keys.find(keyIdOf(encrypted));
    return unpad(decrypt(key, HEAD_BYTES, encrypted, context));
  }
}

/** `secret` cannot be rotated, because stored digests depend on it. */
export function createBlindIndex(secret: string): BlindIndex {
  const key = Buffer.from(hkdfSync("sha256", secret, "", "alcove blind index", 32));
  return (value, purpose) => createHmac("sha256", key).update(`${purpose}\0${value}`).digest();
}

export function nonceOf(encrypted: Buffer): Buffer {
  return encrypted.subarray(HEAD_BYTES, HEAD_BYTES + NONCE_BYTES);
}

export function keyIdOf(encrypted: Buffer): number {
  if (encrypted[0] !== VERSION || encrypted.length < HEAD_BYTES) throw new DecryptionError("unknown format");
  return Number(encrypted.readBigInt64BE(1));
}
