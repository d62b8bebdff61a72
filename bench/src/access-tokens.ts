import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";

interface SessionKey {
  readonly memberId: number;
  readonly session: string;
}

const ALGORITHM = "aes-256-gcm";
const PURPOSE = "access tokens";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

const keyOf = (secret: string) => Buffer.from(hkdfSync("sha256", secret, "", `alcove ${PURPOSE}`, 32));

export function makeAccessToken(secret: string, { memberId, session }: SessionKey): string {
  const plain = Buffer.alloc(28);
  plain.writeBigUInt64BE(BigInt(memberId));
  plain.write(session.replaceAll("-", ""), 8, "hex");
  plain.writeUInt32BE(Math.floor(Date.now() / 1_000) + 3_600, 24);
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, keyOf(secret), nonce).setAAD(Buffer.from(PURPOSE));
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString("base64url");
}

export function openAccessToken(secret: string, token: string): SessionKey {
  const sealed = Buffer.from(token, "base64url");
  const decipher = createDecipheriv(ALGORITHM, keyOf(secret), sealed.subarray(0, NONCE_BYTES))
    .setAAD(Buffer.from(PURPOSE))
    .setAuthTag(sealed.subarray(-TAG_BYTES));
  const plain = Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  const hex = plain.toString("hex", 8, 24);
  return {
    memberId: Number(plain.readBigUInt64BE()),
    session: hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5"),
  };
}
