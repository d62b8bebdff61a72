import { createCipheriv, createDecipheriv, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { HOUR_MS, SECOND_MS } from "../platform/clock.ts";
import type { AppContext, Viewer } from "../platform/context.ts";
import type { Secrets } from "../platform/security/secrets.ts";

/** What an address of an image says: who may look at which file, and until when. */
export interface Ticket {
  readonly kind: "icon" | "message" | "clear";
  readonly viewerMemberId: number;
  /** The session that the address dies with; null for the own icon of who has just signed up. */
  readonly session: string | null;
  readonly ownerMemberId: number;
  /** The other side of the conversation that a message's image belongs to; the owner itself for an icon. */
  readonly otherMemberId: number;
  readonly mediaId: string;
}

type Part = "clock" | "secrets";

/** The fixed address of the picture of a member without one. */
export const DEFAULT_ICON = "/media/default-icon.svg";

/** An address lives from one to two of these, and is the same for the same viewer within one. */
const PERIOD_MS = 12 * HOUR_MS;
const LETTERS = { icon: "i", message: "m", clear: "c" } as const;

const MAC_BYTES = 16;
const PLAIN_BYTES = 8 + 8 + 8 + 16 + 16 + 4;
const NO_SESSION = "00000000-0000-0000-0000-000000000000";

/** Where `viewer` loads the owner's icon with a plain GET. */
export function iconAddress(
  ctx: Pick<AppContext, Part>,
  viewer: Viewer,
  owner: { memberId: number; iconMedia: string | null },
): string {
  if (owner.iconMedia === null) return DEFAULT_ICON;
  const { memberId: ownerMemberId, iconMedia: mediaId } = owner;
  return addressOf(ctx, {
    kind: "icon",
    ...lookOf(viewer),
    ownerMemberId,
    otherMemberId: ownerMemberId,
    mediaId,
  });
}

/** Where `viewer` loads the owner's clear picture; null when none is kept. Whether it may is asked at each fetch. */
export function clearIconAddress(
  ctx: Pick<AppContext, Part>,
  viewer: Viewer,
  { memberId: ownerMemberId, clearIconMedia: mediaId }: { memberId: number; clearIconMedia: string | null },
): string | null {
  if (mediaId === null) return null;
  return addressOf(ctx, {
    kind: "clear",
    ...lookOf(viewer),
    ownerMemberId,
    otherMemberId: ownerMemberId,
    mediaId,
  });
}

/**
 * Where `viewer` loads the image of a message with a plain GET.
 *
 * @param image.ownerMemberId the sender
 * @param image.otherMemberId the receiver
 */
export function messageImageAddress(
  ctx: Pick<AppContext, Part>,
  viewer: Viewer,
  image: { ownerMemberId: number; mediaId: string; otherMemberId: number },
): string {
  return addressOf(ctx, { kind: "message", ...lookOf(viewer), ...image });
}

function lookOf({ memberId, session }: Viewer): Pick<Ticket, "viewerMemberId" | "session"> {
  return { viewerMemberId: memberId, session };
}

/**
 * The sealed form of a ticket: AES in counter mode under a synthetic nonce, the keyed digest of the plain ticket.
 *
 * The same ticket always gives the same address, so that browsers can keep the image; nobody can read a member's
 * number out of one, change it, or make one.
 */
function addressOf(ctx: Pick<AppContext, Part>, ticket: Ticket): string {
  const expires = (Math.floor(ctx.clock.now().getTime() / PERIOD_MS) + 2) * PERIOD_MS;
  const plain = Buffer.alloc(PLAIN_BYTES);
  plain.writeBigUInt64BE(BigInt(ticket.viewerMemberId), 0);
  plain.writeBigUInt64BE(BigInt(ticket.ownerMemberId), 8);
  plain.writeBigUInt64BE(BigInt(ticket.otherMemberId), 16);
  plain.write(ticket.mediaId.replaceAll("-", ""), 24, "hex");
  plain.write((ticket.session ?? NO_SESSION).replaceAll("-", ""), 40, "hex");
  plain.writeUInt32BE(expires / SECOND_MS, 56);

  const keys = keysOf(ctx.secrets);
  const mac = macOf(keys, ticket.kind, plain);
  const cipher = createCipheriv("aes-256-ctr", keys.cipher, mac);
  const token = Buffer.concat([mac, cipher.update(plain), cipher.final()]).toString("base64url");
  return `/media/${LETTERS[ticket.kind]}/${token}`;
}

/** Opens the token of an address; null when it is not one of ours, is of another kind, or has expired. */
export function openToken(ctx: Pick<AppContext, Part>, kind: Ticket["kind"], token: string): Ticket | null {
  const bytes = Buffer.from(token, "base64url");
  // Each image has one address: the decoder would overlook other spellings of the same bytes.
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

function uuidAt(plain: Buffer, at: number): string {
  return plain.toString("hex", at, at + 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

interface Keys {
  readonly mac: Buffer;
  readonly cipher: Buffer;
}

const derived = new WeakMap<Secrets, Keys>();

function keysOf(secrets: Secrets): Keys {
  const known = derived.get(secrets);
  if (known) return known;
  const both = Buffer.from(hkdfSync("sha256", secrets.media, "", "alcove media addresses", 64));
  const keys = { mac: both.subarray(0, 32), cipher: both.subarray(32) };
  derived.set(secrets, keys);
  return keys;
}

function macOf(keys: Keys, kind: Ticket["kind"], plain: Buffer): Buffer {
  return createHmac("sha256", keys.mac).update(LETTERS[kind]).update(plain).digest().subarray(0, MAC_BYTES);
}
