import { CODE_MISSES } from "@alcove/contract/limits";
import type { Attempt, Budget, Challenge } from "./codes.sql.ts";

/** Three budgets: of the requesting browser, its network, and all other networks. */
export function budgetOf(challenge: Challenge, attempt: Attempt): Budget {
  if (attempt.browser_digest?.equals(challenge.browser_digest)) return "browser";
  return challenge.network_digest.equals(attempt.network_digest) ? "network" : "other";
}

/**
 * A request without the cookie replaces the earlier ones of its network, but not for a browser that has kept its cookie
 * since.
 */
export function openChallenges(all: readonly Challenge[], attempt: Attempt): Challenge[] {
  const isReplaced = (challenge: Challenge) =>
    all.some(
      (newer) =>
        newer.network_digest.equals(challenge.network_digest) &&
        !newer.had_cookie &&
        !newer.is_silent &&
        newer.request_no > challenge.request_no,
    );
  return all.filter((challenge) => {
    const budget = budgetOf(challenge, attempt);
    return (
      challenge.expires_at > attempt.now &&
      challenge[`${budget}_misses`] < CODE_MISSES &&
      (challenge.had_cookie || budget === "browser" || !isReplaced(challenge))
    );
  });
}
