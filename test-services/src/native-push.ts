import { generateKeyPairSync } from "node:crypto";
import type { Reply } from "./push.ts";
import { startChildServer, type Remote } from "./start-child-server.ts";

/** A push as a phone gets it. */
export interface ReceivedPush {
  readonly device: string;
  readonly title: string;
  readonly body: string;
  readonly bearer: string;
  readonly options: Readonly<Record<string, string | undefined>>;
}

export interface NativePushControls {
  addDevice(): string;
  /** Responds to the next pushes of a device with an error. Status 0 is silence. */
  respondNext(device: string, ...replies: NativeReply[]): void;
  /** Rejects all tokens of the sender that it has used so far. */
  rejectTokens(): void;
  /** Fails the next requests of an access token (FCM), or ends the connection (APNs). */
  breakNext(count: number): void;
  received(): ReceivedPush[];
  /** Tokens that the sender has requested (FCM) or used (APNs). */
  tokenCount(): number;
  connectionCount(): number;
}

export interface NativeReply extends Reply {
  readonly body?: object;
}

export interface FcmStart {
  readonly publicKey: string;
  readonly clientEmail: string;
  readonly keyId: string;
  readonly projectId: string;
}

export interface ApnsStart {
  readonly publicKey: string;
  readonly keyId: string;
  readonly teamId: string;
  readonly topic: string;
}

/** A push service of native apps with its phones, in a child process. */
export interface FakeNativePush extends Remote<NativePushControls> {
  readonly origin: string;
  readonly variables: Record<string, string>;
  close(): Promise<void>;
}

const CONTROLS = [
  "addDevice",
  "respondNext",
  "rejectTokens",
  "breakNext",
  "received",
  "tokenCount",
  "connectionCount",
] as const;

export async function startFcm(): Promise<FakeNativePush> {
  const { publicKey, privateKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const start: FcmStart = {
    publicKey,
    clientEmail: "push@quiet-room.iam.gserviceaccount.com",
    keyId: "5f1c",
    projectId: "quiet-room",
  };
  const { origin, controls, close } = await startChildServer<NativePushControls>(
    "fcm-server.ts",
    start,
    CONTROLS,
  );
  const account = {
    type: "service_account",
    project_id: start.projectId,
    private_key_id: start.keyId,
    private_key: privateKey,
    client_email: start.clientEmail,
    token_uri: `${origin}/token`,
  };
  const variables = { FCM_SERVICE_ACCOUNT: JSON.stringify(account), FCM_URL: origin };
  return { ...controls, origin, variables, close };
}

/** Apple's push service: HTTP/2, here without TLS. */
export async function startApns(): Promise<FakeNativePush> {
  const { publicKey, privateKey } = generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const start: ApnsStart = {
    publicKey,
    keyId: "KEYID12345",
    teamId: "ABCDE12345",
    topic: "example.alcove.app",
  };
  const { origin, controls, close } = await startChildServer<NativePushControls>(
    "apns-server.ts",
    start,
    CONTROLS,
  );
  const variables = {
    APNS_KEY: privateKey,
    APNS_KEY_ID: start.keyId,
    APNS_TEAM_ID: start.teamId,
    APNS_TOPIC: start.topic,
    APNS_URL: origin,
  };
  return { ...controls, origin, variables, close };
}
