import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { handleControls, listen, readStart } from "./child-server.ts";
import type { FcmStart, NativePushControls, NativeReply, ReceivedPush } from "./native-push.ts";
import { readSignedToken } from "./signed-token.ts";

interface FcmMessage {
  readonly token: string;
  readonly notification: { title: string; body: string };
  readonly android: {
    priority: string;
    ttl: string;
    collapse_key: string;
    notification: { channel_id: string; tag: string };
  };
}

const SCOPE = "https://www.googleapis.com/auth/firebase.messaging";
const HOUR_SECONDS = 3_600;
const { publicKey, clientEmail, keyId, projectId } = readStart<FcmStart>();
const devices = new Map<string, NativeReply[]>();
const received: ReceivedPush[] = [];
const valid = new Set<string>();
let tokens = 0;
let connections = 0;
let brokenTokens = 0;

function giveToken(form: URLSearchParams, response: ServerResponse): void {
  const { header, claims } = readSignedToken(form.get("assertion") ?? "", publicKey);
  const isAsked =
    form.get("grant_type") === "urn:ietf:params:oauth:grant-type:jwt-bearer" &&
    header["alg"] === "RS256" &&
    header["kid"] === keyId &&
    claims["iss"] === clientEmail &&
    claims["aud"] === `${origin}/token` &&
    claims["scope"] === SCOPE &&
    Number(claims["exp"]) - Number(claims["iat"]) <= HOUR_SECONDS;
  tokens++;
  if (brokenTokens > 0) {
    brokenTokens--;
    reply(response, 503, {});
  } else if (!isAsked) reply(response, 400, { error: "invalid_grant" });
  else {
    const access = randomBytes(24).toString("base64url");
    valid.add(access);
    reply(response, 200, { access_token: access, expires_in: HOUR_SECONDS - 1, token_type: "Bearer" });
  }
}

function deliver(message: FcmMessage, bearer: string, response: ServerResponse): void {
  const { token, notification, android } = message;
  const replies = devices.get(token);
  const next = replies?.shift();
  if (!replies) return sendError(response, 404, "NOT_FOUND", "UNREGISTERED");
  if (next?.status === 0) return;
  if (next) return reply(response, next.status, next.body ?? {}, next.headers);
  const { priority, ttl, collapse_key, notification: shown } = android;
  const options = { priority, ttl, collapse_key, ...shown };
  received.push({ device: token, ...notification, bearer, options });
  reply(response, 200, { name: `projects/${projectId}/messages/${received.length}` });
}

function sendError(response: ServerResponse, code: number, status: string, errorCode: string): void {
  const details = [{ "@type": "type.googleapis.com/google.firebase.fcm.v1.FcmError", errorCode }];
  reply(response, code, { error: { code, status, message: "rejected", details } });
}

function reply(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
}

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = Buffer.concat((await request.toArray()) as Buffer[]).toString();
  if (request.url === "/token") return giveToken(new URLSearchParams(text), response);
  const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
  if (!valid.has(bearer)) return reply(response, 401, { error: { status: "UNAUTHENTICATED" } });
  if (request.method !== "POST" || request.url !== `/v1/projects/${projectId}/messages:send`)
    return reply(response, 404, { error: { status: "NOT_FOUND" } });
  deliver((JSON.parse(text) as { message: FcmMessage }).message, bearer, response);
}

const server = createServer((request, response) => {
  void take(request, response).catch(() => response.writeHead(400).end());
});
server.on("connection", () => connections++);

const controls: NativePushControls = {
  addDevice() {
    const token = `${randomBytes(16).toString("base64url")}:APA91b${randomBytes(96).toString("base64url")}`;
    devices.set(token, []);
    return token;
  },
  respondNext: (device, ...replies) => void devices.get(device)?.push(...replies),
  rejectTokens: () => valid.clear(),
  breakNext: (count) => {
    brokenTokens = count;
  },
  received: () => received,
  tokenCount: () => tokens,
  connectionCount: () => connections,
};

handleControls(controls);
const origin = await listen(server);
