import type { Language } from "@alcove/i18n";
import type { Tx } from "../platform/database.ts";
import type { Deps } from "../platform/deps.ts";
import { refusalSentence } from "../platform/language.ts";
import { networkOf } from "../platform/network.ts";
import { Refusal } from "../platform/refuse.ts";
import { emailDigest } from "./email.ts";

/**
 * Queues a letter that somebody asked for, unless the address or the network has had too many; the answer of a first
 * step, which tells that with status 200 and never whether the address is known.
 */
export async function withinLetterLimits(
  deps: Deps,
  asked: { email: string; ip: string; language: Language },
  queue: (tx: Tx) => Promise<void>,
): Promise<{ error_message?: string }> {
  try {
    await deps.db.transaction().execute(async (tx) => {
      // Always in this order, so that no two wait for each other; what one refuses does not count for the other.
      await deps.limits.take("letters", emailDigest(deps.sealing, asked.email).toString("hex"), tx);
      await deps.limits.take("letters_of_network", networkOf(asked.ip), tx);
      await queue(tx);
    });
    return {};
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { error_message: refusalSentence(asked.language, error.code) };
  }
}
