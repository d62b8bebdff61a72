import { ECDH } from "node:crypto";
import { lookup, type LookupAddress } from "node:dns";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import webPush from "web-push";
import { DAY_MS, SECOND_MS } from "../../platform/clock.ts";
import type { Secrets } from "../../platform/security/secrets.ts";
import type { Config } from "../../config.ts";

export interface PushSubscription {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** `gone`: the device no longer exists. `rejected`: a retry will not help. */
export type PushResult =
  | { readonly kind: "sent" | "gone" | "rejected" }
  | { readonly kind: "retry"; readonly afterMs: number | null };

export interface PushSender {
  send(to: PushSubscription, text: string): Promise<PushResult>;
}

const TIMEOUT_MS = 10 * SECOND_MS;
const CURVE = "prime256v1";
const LIFETIME_SECONDS = DAY_MS / SECOND_MS;

/** Addresses that no public push service can have. For IPv6, also everything outside of 2000::/3. */
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

/** Rejects private addresses, so that a member cannot reach machines beside this one. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !privateNetworks.check(address, "ipv4");
  return version === 6 && publicIPv6.check(address, "ipv6") && !privateNetworks.check(address, "ipv6");
}

/** The address of the host is checked for each connection. */
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

export function createPushSender(config: Config, { vapid }: Pick<Secrets, "vapid">): PushSender {
  const isWeb = config.publicUrl?.startsWith("https:");
  const subject = isWeb ? config.publicUrl! : `mailto:${config.supportEmail}`;
  return {
    async send({ endpoint, p256dh, auth }, text) {
      if (!isAllowedEndpoint(config, endpoint)) return { kind: "gone" };
      const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
        vapidDetails: { subject, ...vapid },
        TTL: LIFETIME_SECONDS,
        topic: "new",
        contentEncoding: "aes128gcm",
      });
      try {
        return await post(new URL(endpoint), headers, body, config);
      } catch {
        return { kind: "retry", afterMs: null };
      }
    },
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
        signal: AbortSignal.timeout(TIMEOUT_MS),
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

function resultOf(status: number, retryAfter: string | undefined): PushResult {
  if (status >= 200 && status < 300) return { kind: "sent" };
  if (status === 404 || status === 410) return { kind: "gone" };
  if (status === 429 || status >= 500) return { kind: "retry", afterMs: delayMs(retryAfter) };
  return { kind: "rejected" };
}

function delayMs(retryAfter: string | undefined): number | null {
  if (retryAfter === undefined) return null;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * SECOND_MS : Date.parse(retryAfter) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
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
