import { ECDH } from "node:crypto";
import { lookup, type LookupAddress } from "node:dns";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import webPush from "web-push";
import type { Secrets } from "../../platform/keys/secrets.ts";
import type { Config } from "../../config.ts";
import {
  isTemporary,
  PUSH_LIFETIME_SECONDS,
  PUSH_TIMEOUT_MS,
  PUSH_TOPIC,
  retryAfter,
  type PushMessage,
  type PushResult,
} from "./push-result.ts";

export interface PushSubscription {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

const CURVE = "prime256v1";

/** No public push service has these addresses, nor for IPv6 any outside of 2000::/3. */
const privateNetworks = new BlockList();
for (const [net, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  privateNetworks.addSubnet(net, bits, "ipv4");
for (const [net, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
] as const)
  privateNetworks.addSubnet(net, bits, "ipv6");
const publicIPv6 = new BlockList();
publicIPv6.addSubnet("2000::", 3, "ipv6");

/** A member must not reach machines beside this one. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !privateNetworks.check(address, "ipv4");
  return version === 6 && publicIPv6.check(address, "ipv6") && !privateNetworks.check(address, "ipv6");
}

/** Each connection checks the host's address. */
export function isAllowedEndpoint(
  { pushLocalOrigin }: Pick<Config, "pushLocalOrigin">,
  endpoint: string,
): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, origin, hostname, port, username, password } = new URL(endpoint);
  if (username || password) return false;
  if (origin === pushLocalOrigin) return true;
  const isNamed = hostname.includes(".") && !hostname.startsWith("[") && isIP(hostname) === 0;
  return protocol === "https:" && port === "" && isNamed;
}

export function isPushKey(p256dh: string): boolean {
  try {
    ECDH.convertKey(p256dh, CURVE, "base64url");
    return true;
  } catch {
    return false;
  }
}

export function createWebPushSender(
  config: Config,
  { vapid }: Pick<Secrets, "vapid">,
): (to: PushSubscription, message: PushMessage) => Promise<PushResult> {
  const isWeb = config.publicUrl?.startsWith("https:");
  const subject = isWeb ? config.publicUrl! : `mailto:${config.supportEmail}`;
  return async ({ endpoint, p256dh, auth }, { title, body: sentence, language }) => {
    if (!isAllowedEndpoint(config, endpoint)) return { kind: "gone" };
    const text = JSON.stringify({ title, body: sentence, lang: language });
    const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
      vapidDetails: { subject, ...vapid },
      TTL: PUSH_LIFETIME_SECONDS,
      topic: PUSH_TOPIC,
      contentEncoding: "aes128gcm",
    });
    try {
      return await post(new URL(endpoint), headers, body, config);
    } catch {
      return retryAfter(null);
    }
  };
}

function post(
  url: URL,
  headers: Record<string, string | number>,
  body: Buffer,
  { pushLocalOrigin }: Config,
): Promise<PushResult> {
  const isLocal = url.origin === pushLocalOrigin;
  const send = url.protocol === "http:" ? requestHttp : requestHttps;
  return new Promise((resolve, reject) => {
    const outgoing = send(
      url,
      {
        method: "POST",
        headers,
        signal: AbortSignal.timeout(PUSH_TIMEOUT_MS),
        ...(!isLocal && { lookup: lookupPublic }),
      },
      (response) => {
        response.on("error", () => undefined).resume();
        resolve(resultOf(response.statusCode ?? 0, response.headers["retry-after"]));
      },
    );
    outgoing.on("error", reject).end(body);
  });
}

function resultOf(status: number, retryHeader: string | undefined): PushResult {
  if (status >= 200 && status < 300) return { kind: "sent" };
  if (status === 404 || status === 410) return { kind: "gone" };
  return isTemporary(status) ? retryAfter(retryHeader) : { kind: "rejected" };
}

/** Checks the address that the connection uses, so that DNS cannot change it afterwards. */
export const lookupPublic: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    if (error) return done(error, "");
    const [first] = found;
    if (!first || !found.every(({ address }) => isPublicAddress(address)))
      return done(new Error("no public address"), "");
    return options.all ? done(null, found) : done(null, first.address, first.family);
  });
};
