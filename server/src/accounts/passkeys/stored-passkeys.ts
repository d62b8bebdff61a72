import type { AppContext } from "../../platform/context.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import { utcDay } from "../../platform/clock.ts";
import * as rows from "./passkeys.sql.ts";
import {
  type Credential,
  credentialIdIn,
  requestOptions,
  type Site,
  type Structure,
  type Transport,
  verifyUse,
} from "./webauthn.ts";

const USE = "passkey use";

interface Content {
  readonly name: string;
  readonly id: string;
  readonly publicKey: string;
  readonly transports: readonly Transport[];
}

export interface StoredPasskey extends Credential {
  readonly name: string;
  readonly row: rows.PasskeyRow;
}

/** `docs/product-rules.md`, Passkeys. */
export function siteOf({ config }: Pick<AppContext, "config">, origin: string): Site {
  const own = config.publicUrl ?? `${new URL(origin).protocol}//localhost${portOf(origin)}`;
  return { id: new URL(own).hostname, origins: [own, ...config.androidCertificates.map(androidOrigin)] };
}

const portOf = (origin: string): string => /:\d+$/.exec(origin)?.[0] ?? "";

/** @param certificate a digest such as `AB:CD:…` */
const androidOrigin = (certificate: string): string =>
  `android:apk-key-hash:${Buffer.from(certificate.replaceAll(":", ""), "hex").toString("base64url")}`;

export const credentialDigest = ({ encryption }: Pick<AppContext, "encryption">, id: string): Buffer =>
  encryption.blindIndex(id, "passkey");

export async function encryptPasskey(
  { encryption }: Pick<AppContext, "encryption">,
  memberId: number,
  { name, id, publicKey, transports }: Credential & { readonly name: string },
): Promise<Buffer> {
  const content: Content = { name, id, publicKey: publicKey.toString("base64"), transports };
  const digest = credentialDigest({ encryption }, id);
  return encryption.encrypt(memberId, JSON.stringify(content), contextOf(digest));
}

/** Oldest first. */
export async function readPasskeys(ctx: AppContext, memberId: number, db: Db = ctx.db) {
  const found = await rows.readPasskeysOf(db, memberId);
  return Promise.all(found.map((row) => decryptPasskey(ctx, row)));
}

async function decryptPasskey({ encryption }: AppContext, row: rows.PasskeyRow): Promise<StoredPasskey> {
  const text = await encryption.decrypt(row.encrypted_passkey, contextOf(row.credential_digest));
  const { publicKey, ...content } = JSON.parse(text) as Content;
  return { ...content, publicKey: Buffer.from(publicKey, "base64"), row };
}

const contextOf = (digest: Buffer): string => `passkeys.encrypted_passkey:${digest.toString("hex")}`;

/** Without `memberId` they are the same for everybody. */
export async function useOptions(ctx: AppContext, site: Site, memberId: number | null): Promise<Structure> {
  const allowed = memberId === null ? undefined : await readPasskeys(ctx, memberId);
  return requestOptions(ctx, { purpose: USE, site }, allowed);
}

export interface UsedPasskey {
  readonly memberId: number;
  /** Returns false for a removed passkey, and for a copy by its count. */
  spend(tx: Tx): Promise<boolean>;
}

export async function findUsedPasskey(ctx: AppContext, response: Structure): Promise<rows.PasskeyRow | null> {
  const digest = credentialDigest(ctx, credentialIdIn(response));
  const owner = await rows.findOwner(ctx.db, digest);
  return owner === undefined ? null : rows.findPasskey(ctx.db, owner, digest);
}

export async function verifyPasskey(
  ctx: AppContext,
  site: Site,
  response: Structure,
  row: rows.PasskeyRow,
  needsOwner = true,
): Promise<UsedPasskey | null> {
  const passkey = await decryptPasskey(ctx, row);
  const count = await verifyUse(ctx, { purpose: USE, site }, response, passkey, needsOwner);
  if (count === null) return null;
  const memberId = row.member_no;
  return {
    memberId,
    async spend(tx) {
      const isRecorded = await rows.recordUse(tx, row, { count, day: utcDay(ctx.clock.now()) });
      if (!isRecorded)
        ctx.log.warn(
          { member: memberId },
          "passkey rejected: removed, or its count did not rise, as of a copy",
        );
      return isRecorded;
    },
  };
}
