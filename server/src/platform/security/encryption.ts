import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from "node:crypto";
import type { EncryptionKey } from "../config-reader.ts";

/**
 * Encrypts personal content before it is stored. A value has the id of its key and is bound to its `context` (table,
 * column, row key): it cannot be decrypted in another row.
 */
export interface Encryption {
  encrypt(plain: string, context: string): Buffer;
  decrypt(encrypted: Buffer, context: string): string;
  encryptBytes(plain: Uint8Array, context: string): Buffer;
  decryptBytes(encrypted: Buffer, context: string): Buffer;
  /** Returns a keyed digest that finds a value without storing it. Each `purpose` has other digests. */
  blindIndex(value: string, purpose: string): Buffer;
}

/** Thrown if an encrypted value was changed or moved, or if its key is no longer configured. */
export class DecryptionError extends Error {
  override name = "DecryptionError";
}

const VERSION = 1;
const NONCE_BYTES = 12;
const NONCES_PER_READ = 256;
const TAG_BYTES = 16;

/** The first key encrypts, all keys decrypt. `indexSecret` cannot be rotated, because stored digests depend on it. */
export function createEncryption(keys: readonly EncryptionKey[], indexSecret: string): Encryption {
  const [first] = keys;
  if (!first) throw new Error("no encryption key");
  // Importing a key takes longer than encrypting a value.
  const byId = new Map(keys.map(({ id, key }) => [id, createSecretKey(key)]));
  const indexKey = Buffer.from(hkdfSync("sha256", indexSecret, "", "alcove blind index", 32));

  const nextNonce = nonceGenerator();

  function encryptBytes(plain: Uint8Array, context: string): Buffer {
    const id = Buffer.from(first!.id);
    const head = Buffer.concat([Buffer.from([VERSION, id.length]), id]);
    const nonce = nextNonce();
    const cipher = createCipheriv("aes-256-gcm", byId.get(first!.id)!, nonce);
    cipher.setAAD(Buffer.concat([head, Buffer.from(context)]));
    const body = cipher.update(plain);
    return Buffer.concat([head, nonce, body, cipher.final(), cipher.getAuthTag()]);
  }

  function decryptBytes(encrypted: Buffer, context: string): Buffer {
    const headLength = 2 + (encrypted[1] ?? 0);
    const key = byId.get(encrypted.subarray(2, headLength).toString());
    if (encrypted[0] !== VERSION || !key || encrypted.length < headLength + NONCE_BYTES + TAG_BYTES) {
      throw new DecryptionError("unknown encryption key or format");
    }
    const nonce = encrypted.subarray(headLength, headLength + NONCE_BYTES);
    const decipher = createDecipheriv("aes-256-gcm", key, nonce);
    decipher.setAAD(Buffer.concat([encrypted.subarray(0, headLength), Buffer.from(context)]));
    decipher.setAuthTag(encrypted.subarray(-TAG_BYTES));
    try {
      const body = decipher.update(encrypted.subarray(headLength + NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([body, decipher.final()]);
    } catch (cause) {
      throw new DecryptionError("the encrypted value was changed or moved", { cause });
    }
  }

  return {
    encryptBytes,
    decryptBytes,
    encrypt: (plain, context) => encryptBytes(Buffer.from(plain), context),
    decrypt: (encrypted, context) => decryptBytes(encrypted, context).toString(),
    blindIndex: (value, purpose) => createHmac("sha256", indexKey).update(`${purpose}\0${value}`).digest(),
  };
}

/** Reads random bytes for many nonces at a time: one read takes longer than an encryption. */
function nonceGenerator(): () => Buffer {
  let bytes = Buffer.alloc(0);
  return () => {
    if (bytes.length === 0) bytes = randomBytes(NONCES_PER_READ * NONCE_BYTES);
    const nonce = bytes.subarray(0, NONCE_BYTES);
    bytes = bytes.subarray(NONCE_BYTES);
    return nonce;
  };
}
