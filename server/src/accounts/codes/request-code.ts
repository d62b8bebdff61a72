import type { Language } from "@alcove/i18n";
import type { AppContext } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import { messageOf } from "../../platform/http/error-handler.ts";
import { withinEmailLimits } from "../emails/email-rate-limit.ts";
import { queueCodeEmail } from "../emails/emails.ts";
import type { Versions } from "../../members/legal-versions.ts";
import { type Client, identifyRequester, isUnderAttack } from "./codes.ts";
import type { Purpose } from "./codes.sql.ts";

interface CodeRequest {
  readonly email: string;
  readonly language: Language;
  readonly agreed?: Versions;
  readonly isKnownDevice?: boolean;
  readonly memberId?: number;
}

/**
 * Known and unknown addresses run the same statements and add the same job, so that response and timing reveal no
 * account.
 *
 * @throws too_many_requests
 */
export async function requestCodeEmail(
  ctx: AppContext,
  purpose: Purpose,
  request: CodeRequest,
  client: Client,
): Promise<void> {
  const { email, language, agreed = null, isKnownDevice = false, memberId = null } = request;
  const requester = identifyRequester(ctx, email, client);
  const hasLetters = await isUnderAttack(ctx, email, client.ip);
  const job = { to: email, language, requester, hasLetters, agreed, memberId };
  await withinEmailLimits(ctx, { email, ip: client.ip, isKnownDevice }, (tx, isSilent) =>
    queueCodeEmail(tx, ctx, purpose, { ...job, isSilent }),
  );
}

/** For a first step whose errors are messages. */
export async function tryRequestCodeEmail(
  ...request: Parameters<typeof requestCodeEmail>
): Promise<{ error_message?: string }> {
  try {
    await requestCodeEmail(...request);
    return {};
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { error_message: messageOf(error, request[2].language) };
  }
}
