import type { Tx } from "../../platform/db/database.ts";
import type { AppContext } from "../../platform/context.ts";
import { networkOf } from "../../platform/security/client-network.ts";
import type { RateLimitKey } from "../../platform/security/rate-limits.ts";
import { mailboxDigest } from "../../members/former-accounts.ts";
import { emailDigest } from "../../members/email-addresses.ts";
import { DAY_MS, HOUR_MS } from "../../platform/clock.ts";

const EMAILS_PER_ADDRESS_AND_NETWORK = {
  name: "emails_per_address_and_network",
  max: 5,
  windowMs: HOUR_MS,
};
const EMAILS_PER_NETWORK = { name: "emails_per_network", max: 20, windowMs: HOUR_MS };
const EMAILS_PER_MAILBOX = { name: "emails_per_mailbox", max: 20, windowMs: DAY_MS };
/** Five less than above: known devices keep these. */
const EMAILS_PER_MAILBOX_TO_UNKNOWN_DEVICES = {
  name: "emails_per_mailbox_to_unknown_devices",
  max: 15,
  windowMs: DAY_MS,
};

/**
 * The address's limits have no response of their own, which would show strangers whether others requested codes for it.
 * Beyond them the email is silent.
 *
 * @throws too_many_requests for the network's limits
 */
export async function withinEmailLimits(
  ctx: AppContext,
  request: { email: string; ip: string; isKnownDevice: boolean },
  queueEmail: (tx: Tx, isSilent: boolean) => Promise<void>,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    // A fixed order prevents deadlocks. A rejected email counts for no limit, a silent one for its network.
    const email = emailDigest(ctx.encryption, request.email).toString("hex");
    const mailbox = mailboxDigest(ctx, request.email).toString("hex");
    const network = networkOf(request.ip);
    const isSent =
      (request.isKnownDevice ||
        (await ctx.rateLimits.tryConsume(EMAILS_PER_MAILBOX_TO_UNKNOWN_DEVICES, mailbox, tx))) &&
      (await ctx.rateLimits.tryConsume(EMAILS_PER_MAILBOX, mailbox, tx));
    const limits: RateLimitKey[] = [
      [EMAILS_PER_ADDRESS_AND_NETWORK, `${email} ${network}`],
      [EMAILS_PER_NETWORK, network],
    ];
    for (const [limit, subject] of limits) await ctx.rateLimits.consume(limit, subject, tx);
    await queueEmail(tx, !isSent);
  });
}
