import type { Language } from "@alcove/i18n";
import type { AppContext } from "../../platform/context.ts";
import { withinEmailLimits } from "../emails/email-rate-limit.ts";
import { queueCodeEmail } from "../emails/emails.ts";
import type { Versions } from "../../members/legal-versions.ts";
import { type Client, identifyRequester, isUnderAttack } from "./codes.ts";
import type { Purpose } from "./codes.sql.ts";

/**
 * Known and unknown addresses run the same statements and add the same job, so that response and timing reveal no
 * account.
 */
export async function requestCodeEmail(
  ctx: AppContext,
  purpose: Purpose,
  request: { email: string; language: Language; agreed?: Versions; isKnownDevice?: boolean },
  client: Client,
): Promise<{ error_message?: string }> {
  const { email, language, agreed = null, isKnownDevice = false } = request;
  const requester = identifyRequester(ctx, email, client);
  const hasLetters = await isUnderAttack(ctx, email, client.ip);
  return withinEmailLimits(ctx, { email, ip: client.ip, language, isKnownDevice }, (tx, isSilent) =>
    queueCodeEmail(tx, ctx, purpose, {
      to: email,
      language,
      requester,
      hasLetters,
      agreed,
      isSilent,
    }),
  );
}
