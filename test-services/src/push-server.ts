import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Controls, Device, Received, Reply } from "./push.ts";
import { listen, handleControls } from "./child-server.ts";

interface Known {
  readonly ecdh: ReturnType<typeof createECDH>;
  readonly auth: Buffer;
  readonly replies: Reply[];
}

const devices = new Map<string, Known>();
const received: Received[] = [];
let asked = 0;

function addDevice(): Device {
  const id = randomBytes(16).toString("base64url");
  const ecdh = createECDH("prime256v1");
  const auth = randomBytes(16);
  const p256dh = ecdh.generateKeys("base64url");
  devices.set(id, { ecdh, auth, replies: [] });
  return { endpoint: `${origin}/send/${id}`, p256dh, auth: auth.toString("base64url") };
}

function deviceAt(endpoint: string): Known | undefined {
  return devices.get(new URL(endpoint, origin).pathname.replace("/send/", ""));
}

/** Decrypts a push as a browser does (RFC 8188 and 8291). */
function decrypt(body: Buffer, { ecdh, auth }: Known): string {
  const salt = body.subarray(0, 16);
  const keyLength = body[20]!;
  const senderKey = body.subarray(21, 21 + keyLength);
  const encrypted = body.subarray(21 + keyLength);
  const info = Buffer.concat([Buffer.from("WebPush: info\0"), ecdh.getPublicKey(), senderKey]);
  const secret = Buffer.from(hkdfSync("sha256", ecdh.computeSecret(senderKey), auth, info, 32));
  const derive = (what: string, length: number) =>
    Buffer.from(hkdfSync("sha256", secret, salt, `Content-Encoding: ${what}\0`, length));
  const decipher = createDecipheriv("aes-128-gcm", derive("aes128gcm", 16), derive("nonce", 12));
  decipher.setAuthTag(encrypted.subarray(-16));
  const padded = Buffer.concat([decipher.update(encrypted.subarray(0, -16)), decipher.final()]);
  return padded.subarray(0, padded.lastIndexOf(2)).toString();
}

/** Returns the key of a valid VAPID signature for this service (RFC 8292). */
function signedBy(authorization: string): string | null {
  const [, token = "", key = ""] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(authorization) ?? [];
  const [head = "", claims = "", signature = ""] = token.split(".");
  const point = Buffer.from(key, "base64url");
  if (point.length !== 65) return null;
  const jwk = {
    kty: "EC",
    crv: "P-256",
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  const isSigned = verify(
    "sha256",
    Buffer.from(`${head}.${claims}`),
    { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" },
    Buffer.from(signature, "base64url"),
  );
  const { aud } = JSON.parse(Buffer.from(claims, "base64url").toString()) as { aud: string };
  return isSigned && aud === origin ? key : null;
}

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { headers } = request;
  const body = Buffer.concat((await request.toArray()) as Buffer[]);
  asked++;
  const endpoint = `${origin}${request.url}`;
  const device = deviceAt(endpoint);
  const key = signedBy(headers.authorization ?? "");
  if (!device || key === null) {
    response.writeHead(device ? 403 : 404).end();
    return;
  }
  const reply = device.replies.shift() ?? { status: 201 };
  if (reply.status === 0) return;
  if (reply.status < 300) {
    const { ttl, topic, urgency } = headers as Record<string, string>;
    received.push({ endpoint, text: decrypt(body, device), key, ttl, topic, urgency });
  }
  response.writeHead(reply.status, { location: `${origin}/elsewhere`, ...reply.headers }).end();
}

const server = createServer((request, response) => {
  void take(request, response).catch(() => response.writeHead(400).end());
});

const controls: Controls = {
  addDevice,
  respondNext: (endpoint, ...replies) => void deviceAt(endpoint)?.replies.push(...replies),
  received: (endpoint) => received.filter((each) => endpoint === undefined || each.endpoint === endpoint),
  requestCount: () => asked,
};

handleControls(controls);
const origin = await listen(server);
