import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from "node:crypto";
import type { EncryptionKey } from "../../config.ts";

/**
 * Seals what identifies a person before it is stored, and opens it again (decisions, section 5).
 *
 * A sealed value names its key, so that keys can be rotated, and is bound to its `context` (table, column, row key):
 * moved to another row it does not open.
 */
export interface Encryption {
  encrypt(plain: string, context: string): Buffer;
  decrypt(encrypted: Buffer, context: string): string;
  encryptBytes(plain: Uint8Array, context: string): Buffer;
  decryptBytes(encrypted: Buffer, context: string): Buffer;
  /** A keyed digest under which a value can be found again without being stored; `purpose` keeps uses apart. */
  blindIndex(value: string, purpose: string): Buffer;
}

/** Thrown when a sealed value was changed, moved, or sealed with a key that is no longer configured. */
export class DecryptionError extends Error {
  override name = "SealBroken";
}

const VERSION = 1;
const NONCE_BYTES = 12;
const NONCES_AT_ONCE = 256;
const TAG_BYTES = 16;

/**
 * Makes the sealing of a server: AES-256-GCM with a random nonce, the first key seals, all open.
 *
 * `indexSecret` keys the blind indexes; it can not be rotated, since stored digests depend on it.
 */
export function createEncryption(keys: readonly EncryptionKey[], indexSecret: string): Encryption {
  const [first] = keys;
  if (!first) throw new Error("no sealing key");
  // Given as bytes, a key would be read anew for each value, which takes longer than sealing one.
  const byId = new Map(keys.map(({ id, key }) => [id, createSecretKey(key)]));
  const indexKey = Buffer.from(hkdfSync("sha256", indexSecret, "", "alcove blind index", 32));

  const nextNonce = makeNonces();

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
      throw new DecryptionError("sealed with an unknown key or form");
    }
    const nonce = encrypted.subarray(headLength, headLength + NONCE_BYTES);
    const decipher = createDecipheriv("aes-256-gcm", key, nonce);
    decipher.setAAD(Buffer.concat([encrypted.subarray(0, headLength), Buffer.from(context)]));
    decipher.setAuthTag(encrypted.subarray(-TAG_BYTES));
    try {
      const body = decipher.update(encrypted.subarray(headLength + NONCE_BYTES, -TAG_BYTES));
      return Buffer.concat([body, decipher.final()]);
    } catch (cause) {
      throw new DecryptionError("the sealed value was changed or moved", { cause });
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

/** Makes nonces, each random and used once. To ask for chance takes longer than to seal, so it is asked for many at a time. */
function makeNonces(): () => Buffer {
  let chance = Buffer.alloc(0);
  return () => {
    if (chance.length === 0) chance = randomBytes(NONCES_AT_ONCE * NONCE_BYTES);
    const nonce = chance.subarray(0, NONCE_BYTES);
    chance = chance.subarray(NONCE_BYTES);
    return nonce;
  };
}
