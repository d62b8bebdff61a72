import * as z from "zod/mini";
import { Email } from "@alcove/contract/fields";
import { SECOND_MS } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import { requestJson, type JsonResponse } from "../json-request.ts";

export interface GoogleAccount {
  readonly subject: string;
  readonly email: string;
}

const MAX_CONCURRENT = 50;
let running = 0;

// Google returns numbers and booleans as text in tokeninfo, but not in userinfo.
const booleanOrText = z.union([z.boolean(), z.string()]);
const TokenInfo = z.object({
  aud: z.string(),
  azp: z.optional(z.string()),
  sub: z.string().check(z.minLength(1), z.maxLength(255)),
  exp: z.coerce.number(),
  email: z.optional(z.string()),
  email_verified: z.optional(booleanOrText),
});
const UserInfo = z.object({
  sub: z.string(),
  email: z.optional(z.string()),
  email_verified: z.optional(booleanOrText),
});

/**
 * @throws `google_token_refused`, `google_email_unverified`, `google_unavailable`, or `not_found` without a client id
 */
export async function fetchGoogleAccount(
  { config, clock, log }: Pick<AppContext, "config" | "clock" | "log">,
  token: string,
): Promise<GoogleAccount> {
  const { googleClientId, googleTokeninfoUrl, googleUserinfoUrl } = config;
  if (googleClientId === null) throw new ApiError("not_found");
  const unavailable = (endpoint: string, response: JsonResponse | null): ApiError => {
    log.warn({ endpoint, status: response?.status ?? null }, "Google sent an unexpected response");
    return new ApiError("google_unavailable");
  };

  return withLimit(async () => {
    const tokenInfo = await requestJson(withToken(googleTokeninfoUrl, token));
    if (tokenInfo?.status === 400 || tokenInfo?.status === 401) throw new ApiError("google_token_refused");
    const info = z.safeParse(TokenInfo, tokenInfo?.body);
    if (tokenInfo?.status !== 200 || !info.success) throw unavailable("tokeninfo", tokenInfo);

    const { aud, azp = aud, sub: subject, exp } = info.data;
    const isOurs = aud === googleClientId && azp === googleClientId;
    const isAlive = exp * SECOND_MS > clock.now().getTime();
    if (!isOurs || !isAlive) throw new ApiError("google_token_refused");
    const tokenEmail = verifiedEmailOf(info.data);
    if (tokenEmail) return { subject, email: tokenEmail };

    const headers = { authorization: `Bearer ${token}` };
    const userInfo = await requestJson(new URL(googleUserinfoUrl), { headers });
    if (userInfo?.status === 401 || userInfo?.status === 403) throw new ApiError("google_email_unverified");
    const user = z.safeParse(UserInfo, userInfo?.body);
    if (userInfo?.status !== 200 || !user.success) throw unavailable("userinfo", userInfo);
    const email = user.data.sub === subject ? verifiedEmailOf(user.data) : null;
    if (email === null) throw new ApiError("google_email_unverified");
    return { subject, email };
  });
}

function verifiedEmailOf(info: {
  email?: string | undefined;
  email_verified?: string | boolean | undefined;
}) {
  const email = z.safeParse(Email, info.email);
  return email.success && String(info.email_verified) === "true" ? email.data : null;
}

function withToken(endpoint: string, token: string): URL {
  const url = new URL(endpoint);
  url.searchParams.set("access_token", token);
  return url;
}

async function withLimit<T>(request: () => Promise<T>): Promise<T> {
  if (running >= MAX_CONCURRENT) throw new ApiError("google_unavailable");
  running++;
  try {
    return await request();
  } finally {
    running--;
  }
}
