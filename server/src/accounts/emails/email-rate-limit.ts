import type { Language } from "@alcove/i18n";
import type { Tx } from "../../platform/db/database.ts";
import type { AppContext } from "../../platform/context.ts";
import { errorMessage } from "../../platform/i18n.ts";
import { networkOf } from "../../platform/security/client-network.ts";
import { ApiError } from "../../platform/errors.ts";
import type { RateLimitKey } from "../../platform/security/rate-limits.ts";
import { emailDigest } from "./email.ts";

/**
 * Queues an email unless its address or the network is over the limit. The contract returns that error with status
 * 200.
 */
export async function withinEmailLimits(
  ctx: AppContext,
  request: { email: string; ip: string; language: Language; isKnownDevice: boolean },
  queueEmail: (tx: Tx) => Promise<void>,
): Promise<{ error_message?: string }> {
  try {
    await ctx.db.transaction().execute(async (tx) => {
      // A fixed order prevents deadlocks. A rejected email does not count for any limit.
      const email = emailDigest(ctx.encryption, request.email).toString("hex");
      const network = networkOf(request.ip);
      const limits: RateLimitKey[] = [
        ["emails_per_address", email],
        ...(request.isKnownDevice ? [] : [["emails_per_address_to_unknown_devices", email] as const]),
        ["emails_per_address_and_network", `${email} ${network}`],
        ["emails_per_network", network],
      ];
      for (const [name, subject] of limits) await ctx.rateLimits.consume(name, subject, tx);
      await queueEmail(tx);
    });
    return {};
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { error_message: errorMessage(request.language, error.code) };
  }
}
