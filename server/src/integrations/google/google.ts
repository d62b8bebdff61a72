import * as z from "zod/mini";
import { Email } from "@alcove/contract/fields";
import { SECOND_MS } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import { requestJson, type JsonResponse } from "../json-request.ts";

/** Somebody whom Google knows. */
export interface GoogleAccount {
  /** Google's own name of the account, which never changes. */
  readonly subject: string;
  /** An address that Google has confirmed to be theirs. */
  readonly email: string;
}

/** More at once and a flood of made-up tokens would be one of ours at Google. */
const MOST_AT_ONCE = 50;
let asking = 0;

// Google writes numbers and truth as text here, and as themselves at userinfo.
const isTrue = z.union([z.boolean(), z.string()]);
const TokenInfo = z.object({
  aud: z.string(),
  azp: z.optional(z.string()),
  sub: z.string().check(z.minLength(1), z.maxLength(255)),
  exp: z.coerce.number(),
  email: z.optional(z.string()),
  email_verified: z.optional(isTrue),
});
const UserInfo = z.object({
  sub: z.string(),
  email: z.optional(z.string()),
  email_verified: z.optional(isTrue),
});

/**
 * Asks Google whose an access token is. The token must have been made for us, live, and belong to a confirmed address;
 * everything else is refused, and so is whatever Google does not say clearly.
 *
 * @throws Refusal `google_token_refused`, `google_email_unverified`, `google_unavailable`; `not_found` where sign-in by
 * Google is not configured.
 */
export async function readGoogleAccount(
  { config, clock, log }: Pick<AppContext, "config" | "clock" | "log">,
  token: string,
): Promise<GoogleAccount> {
  const { googleClientId, googleTokeninfoUrl, googleUserinfoUrl } = config;
  if (googleClientId === null) throw new ApiError("not_found");
  const unavailable = (what: string, answer: JsonResponse | null): ApiError => {
    log.warn({ status: answer?.status ?? null }, `Google's ${what} did not answer as it should`);
    return new ApiError("google_unavailable");
  };

  return oneOfFew(async () => {
    const asked = await requestJson(withToken(googleTokeninfoUrl, token));
    if (asked?.status === 400 || asked?.status === 401) throw new ApiError("google_token_refused");
    const info = z.safeParse(TokenInfo, asked?.body);
    if (asked?.status !== 200 || !info.success) throw unavailable("tokeninfo", asked);

    const { aud, azp = aud, sub: subject, exp } = info.data;
    const isOurs = aud === googleClientId && azp === googleClientId;
    const isAlive = exp * SECOND_MS > clock.now().getTime();
    if (!isOurs || !isAlive) throw new ApiError("google_token_refused");
    const known = addressOf(info.data);
    if (known) return { subject, email: known };

    // Which of the two tells the address depends on what the token was made for.
    const headers = { authorization: `Bearer ${token}` };
    const told = await requestJson(new URL(googleUserinfoUrl), { headers });
    if (told?.status === 401 || told?.status === 403) throw new ApiError("google_email_unverified");
    const user = z.safeParse(UserInfo, told?.body);
    if (told?.status !== 200 || !user.success) throw unavailable("userinfo", told);
    const email = user.data.sub === subject ? addressOf(user.data) : null;
    if (email === null) throw new ApiError("google_email_unverified");
    return { subject, email };
  });
}

/** The address, where there is one and Google has confirmed it. */
function addressOf(info: { email?: string | undefined; email_verified?: string | boolean | undefined }) {
  const email = z.safeParse(Email, info.email);
  return email.success && String(info.email_verified) === "true" ? email.data : null;
}

function withToken(address: string, token: string): URL {
  const url = new URL(address);
  url.searchParams.set("access_token", token);
  return url;
}

async function oneOfFew<T>(ask: () => Promise<T>): Promise<T> {
  if (asking >= MOST_AT_ONCE) throw new ApiError("google_unavailable");
  asking++;
  try {
    return await ask();
  } finally {
    asking--;
  }
}
