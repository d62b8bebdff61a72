import { ECDH } from "node:crypto";
import { lookup as lookUp, type LookupAddress } from "node:dns";
import { request as requestPlainly } from "node:http";
import { request } from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import webPush from "web-push";
import { DAY_MS, SECOND_MS } from "../../platform/clock.ts";
import type { Secrets } from "../../platform/security/secrets.ts";
import type { Config } from "../../config.ts";

/** Where a device is told, and the keys with which only it can read what it is told. */
export interface PushSubscription {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** `gone`: there is no such device any more. `refused`: this will never be taken. `later`: to be tried again. */
export type PushResult =
  | { readonly kind: "told" | "gone" | "refused" }
  | { readonly kind: "later"; readonly afterMs: number | null };

export interface PushSender {
  /** Hands a text to the device's push service. Never throws: what it cannot reach is for later. */
  send(to: PushSubscription, text: string): Promise<PushResult>;
}

const PATIENCE_MS = 10 * SECOND_MS;
const CURVE = "prime256v1";
/** What was not fetched for a day is no news any more. */
const LIFE_SECONDS = DAY_MS / SECOND_MS;

/** Addresses behind which no push service of the world can be. Of IPv6, everything outside of 2000::/3 too. */
const inner = new BlockList();
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
  inner.addSubnet(net, bits, "ipv4");
for (const [net, bits] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
] as const)
  inner.addSubnet(net, bits, "ipv6");
const worldwide = new BlockList();
worldwide.addSubnet("2000::", 3, "ipv6");

/** Whether an address is one that everybody can reach, so that nothing is asked of machines beside this one. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !inner.check(address, "ipv4");
  return version === 6 && worldwide.check(address, "ipv6") && !inner.check(address, "ipv6");
}

/**
 * Whether a member may name this as the address of its device's push service: https at a named host of the world, on
 * the usual port. What the name leads to is looked at each time it is asked. `PUSH_LOCAL_ORIGIN` is allowed besides.
 */
export function mayBeEndpoint(
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

/** Whether this is a point on the curve that push messages are encrypted with. */
export function isPushKey(p256dh: string): boolean {
  try {
    ECDH.convertKey(p256dh, CURVE, "base64url");
    return true;
  } catch {
    return false;
  }
}

/** Opens the way to push services. */
export function openPush(config: Config, { vapid }: Pick<Secrets, "vapid">): PushSender {
  const isWeb = config.publicUrl?.startsWith("https:");
  const subject = isWeb ? config.publicUrl! : `mailto:${config.supportEmail}`;
  return {
    async send({ endpoint, p256dh, auth }, text) {
      if (!mayBeEndpoint(config, endpoint)) return { kind: "gone" };
      const { headers, body } = webPush.generateRequestDetails(
        { endpoint, keys: { p256dh, auth } },
        text,
        // What a device has not fetched yet is replaced by what comes next.
        {
          vapidDetails: { subject, ...vapid },
          TTL: LIFE_SECONDS,
          topic: "new",
          contentEncoding: "aes128gcm",
        },
      );
      try {
        return await post(new URL(endpoint), headers, body, config);
      } catch {
        return { kind: "later", afterMs: null }; // not reached; the address is a secret and no part of any log
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
  const ask = url.protocol === "http:" ? requestPlainly : request;
  return new Promise((resolve, reject) => {
    const asked = ask(
      url,
      {
        method: "POST",
        headers,
        signal: AbortSignal.timeout(PATIENCE_MS),
        ...(!isLocal && { lookup: lookUpPublic }),
      },
      (response) => {
        response.on("error", () => undefined).resume();
        resolve(read(response.statusCode ?? 0, response.headers["retry-after"]));
      },
    );
    asked.on("error", reject).end(body);
  });
}

/** Redirects are not followed: what answers with one has not taken anything. */
function read(status: number, retryAfter: string | undefined): PushResult {
  if (status >= 200 && status < 300) return { kind: "told" };
  if (status === 404 || status === 410) return { kind: "gone" };
  if (status === 429 || status >= 500) return { kind: "later", afterMs: waitMs(retryAfter) };
  return { kind: "refused" };
}

/** Seconds, or a date. */
function waitMs(retryAfter: string | undefined): number | null {
  if (retryAfter === undefined) return null;
  const ms = /^\d+$/.test(retryAfter) ? Number(retryAfter) * SECOND_MS : Date.parse(retryAfter) - Date.now();
  return Number.isFinite(ms) ? Math.max(0, ms) : null;
}

/** Looks a name up at the moment of the connection, so that it cannot lead elsewhere afterwards. */
export const lookUpPublic: LookupFunction = (hostname, options, done) => {
  lookUp(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    if (error) return done(error, "");
    const [first] = found;
    if (!first || !found.every(({ address }) => isPublicAddress(address)))
      return done(new Error("no public address"), "");
    return options.all ? done(null, found) : done(null, first.address, first.family);
  });
};
