import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";

interface Options {
  /** The device has checked its owner. */
  readonly isVerified?: boolean;
  /** Many passkeys always send 0. */
  readonly hasCount?: boolean;
}

/** Responds as WebAuthn's devices do. */
export interface Passkey {
  register(options: Record<string, unknown>, origin: string): Record<string, unknown>;
  /** @param signedOrigin that of a native app differs from the host's */
  logIn(options: Record<string, unknown>, origin: string, signedOrigin?: string): Record<string, unknown>;
  /** A clone with the same key and count. */
  copy(options?: Options): Passkey;
}

const USER_PRESENT_AND_VERIFIED = 0x05;
const HAS_CREDENTIAL = 0x40;

export function createPasskey(options: Options = {}): Passkey {
  const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return passkeyOf(keys, randomBytes(32), 0, options);
}

function passkeyOf(
  keys: { publicKey: KeyObject; privateKey: KeyObject },
  id: Buffer,
  from: number,
  { isVerified = true, hasCount = true }: Options,
): Passkey {
  const { publicKey, privateKey } = keys;
  let count = from;
  const flags = isVerified ? USER_PRESENT_AND_VERIFIED : 0x01;

  const authenticatorData = (origin: string, extra: number) => {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(hasCount ? count++ : 0);
    return Buffer.concat([sha256(new URL(origin).hostname), Buffer.from([flags | extra]), counter]);
  };
  const respond = (response: Record<string, Buffer>) => ({
    id: id.toString("base64url"),
    rawId: id.toString("base64url"),
    type: "public-key",
    clientExtensionResults: {},
    response: Object.fromEntries(
      Object.entries(response).map(([name, bytes]) => [name, bytes.toString("base64url")]),
    ),
  });
  return {
    register({ challenge }, origin) {
      const { x, y } = publicKey.export({ format: "jwk" });
      const coordinates = [x!, y!].map((part) => Buffer.from(part, "base64url"));
      // COSE: {1: 2, 3: -7, -1: 1, -2: x, -3: y}
      const cose = [
        Buffer.from("a5010203262001215820", "hex"),
        coordinates[0]!,
        Buffer.from("225820", "hex"),
        coordinates[1]!,
      ];
      const credential = [Buffer.alloc(16), Buffer.from([0, id.length]), id, ...cose];
      const data = Buffer.concat([authenticatorData(origin, HAS_CREDENTIAL), ...credential]);
      // CBOR: {"fmt": "none", "attStmt": {}, "authData": bytes}
      const attestationObject = Buffer.concat([
        Buffer.from("a363666d74646e6f6e656761747453746d74a0686175746844617461", "hex"),
        Buffer.from([0x58, data.length]),
        data,
      ]);
      return respond({ clientDataJSON: clientData("webauthn.create", challenge, origin), attestationObject });
    },
    logIn({ challenge }, origin, signedOrigin = origin) {
      const clientDataJSON = clientData("webauthn.get", challenge, signedOrigin);
      const data = authenticatorData(origin, 0);
      const signature = sign("sha256", Buffer.concat([data, sha256(clientDataJSON)]), privateKey);
      return respond({ clientDataJSON, authenticatorData: data, signature });
    },
    copy: (options = {}) => passkeyOf(keys, id, count, { isVerified, hasCount, ...options }),
  };
}

function clientData(type: string, challenge: unknown, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

const sha256 = (value: string | Buffer): Buffer => createHash("sha256").update(value).digest();
