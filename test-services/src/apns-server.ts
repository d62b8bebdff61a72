import { randomBytes } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type ServerHttp2Stream } from "node:http2";
import { handleControls, listen, readStart } from "./child-server.ts";
import type { ApnsStart, NativePushControls, NativeReply, ReceivedPush } from "./native-push.ts";
import { readSignedToken } from "./signed-token.ts";

const { publicKey, keyId, teamId, topic } = readStart<ApnsStart>();
const devices = new Map<string, NativeReply[]>();
const received: ReceivedPush[] = [];
const used = new Set<string>();
const rejected = new Set<string>();
let connections = 0;
let brokenStreams = 0;

/** Returns the reason for which Apple rejects a provider token; null for a valid one. */
function tokenProblem(bearer: string): string | null {
  try {
    const { header, claims } = readSignedToken(bearer, publicKey);
    const isOurs = header["alg"] === "ES256" && header["kid"] === keyId && claims["iss"] === teamId;
    if (!isOurs || typeof claims["iat"] !== "number") return "InvalidProviderToken";
  } catch {
    return "InvalidProviderToken";
  }
  used.add(bearer);
  return rejected.has(bearer) ? "ExpiredProviderToken" : null;
}

async function take(stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> {
  const respond = (status: number, body: object | null, more: Record<string, string> = {}) => {
    stream.respond({ ":status": status, "apns-id": randomBytes(16).toString("hex"), ...more });
    stream.end(body === null ? "" : JSON.stringify(body));
  };
  const text = Buffer.concat((await stream.toArray()) as Buffer[]).toString();
  if (brokenStreams > 0) {
    brokenStreams--;
    stream.session?.destroy();
    return;
  }
  const path = String(headers[":path"]);
  const bearer = String(headers.authorization).replace(/^bearer /, "");
  const problem = tokenProblem(bearer);
  const [, device = ""] = /^\/3\/device\/([0-9a-f]{64})$/.exec(path) ?? [];
  const replies = devices.get(device);
  if (problem) return respond(403, { reason: problem });
  if (headers["apns-topic"] !== topic) return respond(400, { reason: "DeviceTokenNotForTopic" });
  if (headers["apns-push-type"] !== "alert") return respond(400, { reason: "InvalidPushType" });
  if (!replies) return respond(400, { reason: "BadDeviceToken" });
  const next = replies.shift();
  if (next?.status === 0) return;
  if (next) return respond(next.status, next.body ?? {}, next.headers);
  const { aps } = JSON.parse(text) as { aps: { alert: { title: string; body: string }; sound: string } };
  const option = (name: string) => headers[`apns-${name}`] as string | undefined;
  const options = {
    priority: option("priority"),
    expiration: option("expiration"),
    collapse_id: option("collapse-id"),
    sound: aps.sound,
  };
  received.push({ device, ...aps.alert, bearer, options });
  respond(200, null);
}

const server = createServer();
server.on("session", () => connections++);
server.on("stream", (stream, headers) => {
  stream.on("error", () => undefined);
  void take(stream, headers).catch(() => stream.close());
});

const controls: NativePushControls = {
  addDevice() {
    const token = randomBytes(32).toString("hex");
    devices.set(token, []);
    return token;
  },
  respondNext: (device, ...replies) => void devices.get(device)?.push(...replies),
  rejectTokens: () => {
    for (const token of used) rejected.add(token);
  },
  breakNext: (count) => {
    brokenStreams = count;
  },
  received: () => received,
  tokenCount: () => used.size,
  connectionCount: () => connections,
};

handleControls(controls);
await listen(server);
