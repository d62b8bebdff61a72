import type { ResponseOf, ParsedOf } from "@alcove/contract";
import type { logInSocially } from "@alcove/contract/accounts";
import type { Language } from "@alcove/i18n";
import { fetchGoogleAccount } from "../../integrations/google/google.ts";
import type { AppContext } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { networkOf } from "../../platform/security/client-network.ts";
import { ApiError } from "../../platform/errors.ts";
import { presentOwnUser } from "../../profiles/index.ts";
import { emailDigest } from "../../members/email-addresses.ts";
import { findMemberById, findMemberIdByEmail, findSocialAccount } from "../../members/members.sql.ts";
import { proveSecondFactor } from "../passkeys/second-factor.ts";
import { openSession } from "./sessions.ts";
import { readRefreshToken } from "./tokens.ts";
import { MINUTE_MS } from "../../platform/clock.ts";
import { loginsOf } from "./login-limits.ts";

const GOOGLE_REQUESTS_PER_NETWORK = {
  name: "google_requests_per_network",
  max: 60,
  windowMs: 15 * MINUTE_MS,
};

export interface GoogleIdentity {
  readonly email: string;
  /** Keyed digest of Google's subject, which is not stored. */
  readonly digest: Buffer;
}

/** Counts the request for the caller's network before Google gets it. */
export async function identifyGoogleAccount(
  ctx: AppContext,
  token: string,
  ip: string,
): Promise<GoogleIdentity> {
  await ctx.rateLimits.consume(GOOGLE_REQUESTS_PER_NETWORK, networkOf(ip));
  const { subject, email } = await fetchGoogleAccount(ctx, token);
  return { email, digest: ctx.encryption.blindIndex(`google:${subject}`, "social account") };
}

/** Also finds a member by the confirmed address. */
export async function hasMember(ctx: AppContext, { digest, email }: GoogleIdentity): Promise<boolean> {
  if (await findSocialAccount(ctx.db, digest)) return true;
  return (await findMemberIdByEmail(ctx.db, emailDigest(ctx.encryption, email))) !== undefined;
}

/** A matching email address alone is not enough. */
export async function logInWithGoogle(
  ctx: AppContext,
  form: ParsedOf<typeof logInSocially>,
  from: { ip: string; userAgent: string; lang: Language; origin: string },
): Promise<ResponseOf<typeof logInSocially>> {
  const { digest } = await identifyGoogleAccount(ctx, form.accessToken, from.ip);
  const found = await findSocialAccount(ctx.db, digest);
  const member = found && (await findMemberById(ctx.db, found.member_no));
  if (!member) throw new ApiError("social_account_not_found");
  const { member_no: memberId } = member;
  await ctx.rateLimits.consume(...loginsOf(memberId));
  const spendFactor = member.second_factor
    ? await proveSecondFactor(ctx, memberId, form, from.origin)
    : undefined;
  const recheck = async (tx: Tx) => {
    // A change of the email address ends the login with Google.
    if ((await findSocialAccount(tx, digest))?.member_no !== memberId)
      throw new ApiError("social_account_not_found");
    await spendFactor?.(tx);
  };
  const { userAgent, lang: language } = from;
  const { second_factor: hasSecondFactor } = member;
  const proofs = { hasSecondFactor, opensStopped: hasSecondFactor };
  const opening = { device: form.device ?? null, userAgent, language, ...proofs };
  const tokens = await openSession(ctx, memberId, { ...opening, recheck });
  if (tokens.scope === "case") return tokens;
  const { session } = readRefreshToken(ctx.secrets, tokens.refresh)!;
  return { ...tokens, user: await presentOwnUser(ctx, { memberId, session }) };
}
