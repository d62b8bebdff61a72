import { createPrivateKey } from "node:crypto";
import { readFileSync } from "node:fs";
import * as z from "zod/mini";
import type { ConfigReader } from "../../platform/config-reader.ts";

export type FcmConfig = NonNullable<ReturnType<typeof readFcm>>;
export type ApnsConfig = NonNullable<ReturnType<typeof readApns>>;

const ServiceAccount = z.object({
  project_id: z.string().check(z.regex(/^[a-z0-9:.-]+$/)),
  client_email: z.string(),
  private_key_id: z.string(),
  private_key: z.string(),
  token_uri: z.string(),
});

export function readFcm(read: ConfigReader) {
  const url = read.secureUrl("FCM_URL", "https://fcm.googleapis.com");
  const text = contentOf(read, "FCM_SERVICE_ACCOUNT");
  if (text === null) return null;
  const account = z.safeParse(ServiceAccount, parseJson(text));
  if (!account.success || !isKey(account.data.private_key, "rsa")) {
    read.problems.push("FCM_SERVICE_ACCOUNT must be the JSON file of a service account, or its content.");
    return null;
  }
  const { project_id, client_email, private_key_id, private_key, token_uri } = account.data;
  return {
    url,
    projectId: project_id,
    clientEmail: client_email,
    keyId: private_key_id,
    privateKey: private_key,
    tokenUrl: read.secureValue(
      "token_uri of FCM_SERVICE_ACCOUNT",
      token_uri,
      "https://oauth2.googleapis.com/token",
    ),
  };
}

export function readApns(read: ConfigReader) {
  const url = read.secureUrl("APNS_URL", "https://api.push.apple.com");
  const given = read.allOrNone(["APNS_KEY", "APNS_KEY_ID", "APNS_TEAM_ID", "APNS_TOPIC"]);
  const key = given && contentOf(read, "APNS_KEY");
  if (!given || key === null) return null;
  const { APNS_KEY_ID: keyId, APNS_TEAM_ID: teamId, APNS_TOPIC: topic } = given;
  if (!isKey(key, "ec")) read.problems.push("APNS_KEY must be a .p8 file from Apple, or its content.");
  for (const [name, id] of [
    ["APNS_KEY_ID", keyId],
    ["APNS_TEAM_ID", teamId],
  ])
    if (!/^[A-Z0-9]{10}$/.test(id!)) read.problems.push(`${name} must be ten letters A to Z and digits.`);
  if (!/^[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+$/.test(topic))
    read.problems.push("APNS_TOPIC must be the app id, such as example.alcove.app.");
  return { url, key, keyId, teamId, topic };
}

/** A variable holds the content, or names a file. `\n` stands for a line break, which some tools cannot pass. */
function contentOf(read: ConfigReader, name: string): string | null {
  const value = read.text(name, null);
  if (value === null || value.startsWith("{")) return value;
  if (value.startsWith("-----BEGIN")) return value.replaceAll("\\n", "\n");
  try {
    return readFileSync(value, "utf8");
  } catch (error) {
    read.problems.push(
      `${name} names a file that cannot be read (${(error as NodeJS.ErrnoException).code}).`,
    );
    return null;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

function isKey(pem: string, type: "rsa" | "ec"): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === type;
  } catch {
    return false;
  }
}
