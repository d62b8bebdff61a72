import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { HOUR_MS, SECOND_MS } from "../platform/clock.ts";
import type { AppContext, Viewer } from "../platform/context.ts";
import { uuidAt, writeUuid } from "../platform/lib/uuid-bytes.ts";
import type { Secrets } from "../platform/keys/secrets.ts";

export interface ImageToken {
  readonly kind: "icon" | "message" | "clear";
  readonly viewerMemberId: number;
  /** The URL ends with this session. Null only for the own icon directly after sign-up. */
  readonly session: string | null;
  readonly ownerMemberId: number;
  /** The other side of the conversation; the owner for an icon. */
  readonly otherMemberId: number;
  readonly mediaId: string;
}

type Dependencies = Pick<AppContext, "clock" | "secrets">;

export const DEFAULT_ICON = "/media/default-icon.svg";

/** A URL is valid for one to two periods, and the same for a viewer within a period. */
const PERIOD_MS = 12 * HOUR_MS;
const PATH_LETTERS = { icon: "i", message: "m", clear: "c" } as const;

const MAC_BYTES = 16;
const PLAIN_BYTES = 8 + 8 + 8 + 16 + 16 + 4;
const NO_SESSION = "00000000-0000-0000-0000-000000000000";

export function iconUrl(
  ctx: Dependencies,
  viewer: Viewer,
  owner: { memberId: number; iconMedia: string | null },
): string {
  if (owner.iconMedia === null) return DEFAULT_ICON;
  const { memberId: ownerMemberId, iconMedia: mediaId } = owner;
  return signUrl(ctx, {
    kind: "icon",
    ...viewerOf(viewer),
    ownerMemberId,
    otherMemberId: ownerMemberId,
    mediaId,
  });
}

/** Returns null unless `iconUrl` returned this path to the viewer. The native app has a whole URL. */
export function mediaIdOfIcon(ctx: Dependencies, viewer: Viewer, url: string): string | null {
  const prefix = `/media/${PATH_LETTERS.icon}/`;
  const path = URL.canParse(url) ? new URL(url).pathname : url;
  const icon = path.startsWith(prefix) ? verifyToken(ctx, "icon", path.slice(prefix.length)) : null;
  const isOwn = icon?.viewerMemberId === viewer.memberId && icon.ownerMemberId === viewer.memberId;
  return isOwn ? icon.mediaId : null;
}

export function clearIconUrl(
  ctx: Dependencies,
  viewer: Viewer,
  { memberId: ownerMemberId, clearIconMedia: mediaId }: { memberId: number; clearIconMedia: string | null },
): string | null {
  if (mediaId === null) return null;
  return signUrl(ctx, {
    kind: "clear",
    ...viewerOf(viewer),
    ownerMemberId,
    otherMemberId: ownerMemberId,
    mediaId,
  });
}

/** The owner of an image or a voice note is the sender. */
export function messageFileUrl(
  ctx: Dependencies,
  viewer: Viewer,
  file: { ownerMemberId: number; mediaId: string; otherMemberId: number },
): string {
  return signUrl(ctx, { kind: "message", ...viewerOf(viewer), ...file });
}

function viewerOf({ memberId, session }: Viewer): Pick<ImageToken, "viewerMemberId" | "session"> {
  return { viewerMemberId: memberId, session };
}

/**
 * AES in counter mode with a synthetic nonce, a keyed digest of the plain token: equal tokens result in equal URLs,
 * which browsers can cache.
 */
function signUrl(ctx: Dependencies, image: ImageToken): string {
  const expires = (Math.floor(ctx.clock.now().getTime() / PERIOD_MS) + 2) * PERIOD_MS;
  const plain = Buffer.alloc(PLAIN_BYTES);
  plain.writeBigUInt64BE(BigInt(image.viewerMemberId), 0);
  plain.writeBigUInt64BE(BigInt(image.ownerMemberId), 8);
  plain.writeBigUInt64BE(BigInt(image.otherMemberId), 16);
  writeUuid(plain, 24, image.mediaId);
  writeUuid(plain, 40, image.session ?? NO_SESSION);
  plain.writeUInt32BE(expires / SECOND_MS, 56);

  const keys = keysOf(ctx.secrets);
  const mac = macOf(keys, image.kind, plain);
  const cipher = createCipheriv("aes-256-ctr", keys.cipher, mac);
  const token = Buffer.concat([mac, cipher.update(plain), cipher.final()]).toString("base64url");
  return `/media/${PATH_LETTERS[image.kind]}/${token}`;
}

export function verifyToken(ctx: Dependencies, kind: ImageToken["kind"], token: string): ImageToken | null {
  const bytes = Buffer.from(token, "base64url");
  // The decoder accepts several spellings of the same bytes; only one is valid.
  if (bytes.length !== MAC_BYTES + PLAIN_BYTES || bytes.toString("base64url") !== token) return null;
  const mac = bytes.subarray(0, MAC_BYTES);
  const keys = keysOf(ctx.secrets);
  const decipher = createDecipheriv("aes-256-ctr", keys.cipher, mac);
  const plain = Buffer.concat([decipher.update(bytes.subarray(MAC_BYTES)), decipher.final()]);
  if (!timingSafeEqual(mac, macOf(keys, kind, plain))) return null;
  if (plain.readUInt32BE(56) * SECOND_MS <= ctx.clock.now().getTime()) return null;
  const session = uuidAt(plain, 40);
  return {
    kind,
    session: session === NO_SESSION ? null : session,
    viewerMemberId: Number(plain.readBigUInt64BE(0)),
    ownerMemberId: Number(plain.readBigUInt64BE(8)),
    otherMemberId: Number(plain.readBigUInt64BE(16)),
    mediaId: uuidAt(plain, 24),
  };
}

interface Keys {
  readonly mac: Buffer;
  readonly cipher: Buffer;
}

const derived = new WeakMap<Secrets, Keys>();

function keysOf(secrets: Secrets): Keys {
  const known = derived.get(secrets);
  if (known) return known;
  const bytes = Buffer.from(hkdfSync("sha256", secrets.media, "", "alcove media urls", 64));
  const keys = { mac: bytes.subarray(0, 32), cipher: bytes.subarray(32) };
  derived.set(secrets, keys);
  return keys;
}

function macOf(keys: Keys, kind: ImageToken["kind"], plain: Buffer): Buffer {
  return createHmac("sha256", keys.mac)
    .update(PATH_LETTERS[kind])
    .update(plain)
    .digest()
    .subarray(0, MAC_BYTES);
}
