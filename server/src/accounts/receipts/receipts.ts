import type { ParsedOf, ResponseOf } from "@alcove/contract";
import type { getDeletionReceipt } from "@alcove/contract/accounts";
import { RETENTION } from "@alcove/contract/retention";
import type { Language } from "@alcove/i18n";
import { DAY_MS, MINUTE_MS, utcDay } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import { ApiError } from "../../platform/errors.ts";
import type { App } from "../../platform/http/router.ts";
import { translator } from "../../platform/i18n.ts";
import type { Encryption } from "../../platform/keys/encryption.ts";
import { networkOf } from "../../platform/security/client-network.ts";
import { fixEmail } from "../emails/emails.ts";
import { readRefreshToken } from "../login/tokens.ts";
import * as rows from "./destroyed-keys.sql.ts";
import { openLine, publicKeyOf, signLine } from "./signature.ts";

const RECEIPTS_PER_NETWORK = { name: "receipts_per_network", max: 60, windowMs: 15 * MINUTE_MS };
const RECEIPT_EMAILS = { name: "receipt_emails", max: 2, windowMs: DAY_MS };
/** In receipts, so that no other number of the text is taken for it. */
const NUMBER_DIGITS = 15;
const FIRST_NUMBER = 10 ** (NUMBER_DIGITS - 1);
const LIST_MS = MINUTE_MS;
const LISTED_AT_ONCE = 1_000;

/** The internal number of a member stays secret, and so does their count. */
function keyNumberOf({ encryption }: { encryption: Encryption }, memberId: number): number {
  const digest = encryption.blindIndex(String(memberId), "destroyed key").readBigUInt64BE();
  return FIRST_NUMBER + Number(digest % BigInt(9 * FIRST_NUMBER));
}

/** Lists the keys of deleted members. Others of the list of deletions have negative ids. */
export async function listDestroyedKeys(
  tx: Tx,
  ctx: Pick<AppContext, "encryption">,
  deletions: ReadonlyMap<number, string>,
): Promise<void> {
  const keys = [...deletions]
    .filter(([id]) => id > 0)
    .map(([id, destroyed_on]) => ({ key_number: keyNumberOf(ctx, id), destroyed_on }));
  for (let from = 0; from < keys.length; from += LISTED_AT_ONCE)
    await rows.insertDestroyedKeys(tx, keys.slice(from, from + LISTED_AT_ONCE));
}

/**
 * Returns the receipt of a deletion to the holder of a token of the deleted account, and sends it if asked to.
 *
 * @throws not_found also for the token of an existing account
 */
export async function readReceipt(
  ctx: AppContext,
  { token, email }: ParsedOf<typeof getDeletionReceipt>,
  { ip, lang: language }: { ip: string; lang: Language },
): Promise<ResponseOf<typeof getDeletionReceipt>> {
  await ctx.rateLimits.consume(RECEIPTS_PER_NETWORK, networkOf(ip));
  const memberId = memberIdIn(ctx, token);
  if (memberId === null) throw new ApiError("not_found");
  const number = keyNumberOf(ctx, memberId);
  const day = await rows.findDestroyedOn(ctx.db, number);
  if (day === null) throw new ApiError("not_found");
  const receipt = signLine(ctx.secrets, textOf(language, number, day));
  if (email != null) await sendReceipt(ctx, receipt, { number, to: email, language });
  return { receipt };
}

async function sendReceipt(
  ctx: AppContext,
  receipt: string,
  { number, to, language }: { number: number; to: string; language: Language },
): Promise<void> {
  await ctx.rateLimits.consume(RECEIPT_EMAILS, number);
  const paragraphs = [translator(language, "emails")("recordIntro"), receipt];
  const job = await fixEmail(ctx, { to, language, paragraphs });
  await ctx.db.transaction().execute((tx) => ctx.jobs.add(tx, "fixed_email", job));
}

/** A refresh token never expires; an access token opens no session any more either. */
function memberIdIn(ctx: AppContext, token: string): number | null {
  const key = readRefreshToken(ctx.secrets, token);
  if (key) return key.memberId;
  try {
    return ctx.memberIdOf(token);
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** The same words for every account. */
function textOf(language: Language, number: number, day: string): string {
  const days = Math.max(RETENTION.backupDays, RETENTION.logDays);
  const end = utcDay(new Date(Date.parse(day) + days * DAY_MS));
  return translator(language, "emails")("record", { number: String(number), day, end });
}

/** Returns the number of the key and whether it is on the list, or null if the signature is wrong. */
export async function verifyReceipt(
  { db, secrets }: { db: Db } & Pick<AppContext, "secrets">,
  line: string,
): Promise<{ text: string; number: string; destroyedOn: string | null } | null> {
  const text = openLine(secrets, line);
  const number = text && new RegExp(`\\d{${NUMBER_DIGITS}}`).exec(text)?.[0];
  if (!text || !number) return null;
  return { text, number, destroyedOn: await rows.findDestroyedOn(db, Number(number)) };
}

/** The list is read once a minute at most, and after each deletion. */
export function registerDestroyedKeys({ ctx, http }: App): void {
  const publicKey = publicKeyOf(ctx.secrets);
  let list: { readonly readAt: number; readonly text: Promise<string> } | null = null;
  const readText = async () =>
    JSON.stringify({
      algorithm: "Ed25519",
      public_key: publicKey,
      keys: await rows.readDestroyedKeys(ctx.db),
    });
  ctx.eventBus.subscribe("member_ended", () => void (list = null));
  http.get("/.well-known/deletions.json", async (_, reply) => {
    const now = ctx.clock.now().getTime();
    if (list === null || now - list.readAt >= LIST_MS || now < list.readAt)
      list = { readAt: now, text: readText() };
    const { text } = list;
    const json = await text.catch((error: unknown) => {
      if (list?.text === text) list = null;
      throw error;
    });
    return reply.header("cache-control", "public, max-age=60").type("application/json").send(json);
  });
}
