import { AWAY_HOURS } from "@alcove/contract/limits";
import { ceilTo, HOUR_MS, MINUTE_MS, SECOND_MS } from "../platform/clock.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import * as rows from "./outbox.sql.ts";
import * as preferences from "./preferences.sql.ts";

const BATCH_SIZE = 200;
/** Time to see an event in the open app. */
const PUSH_DELAY_MS = 10 * SECOND_MS;
/** A look at the app ends the interval. */
export const PUSH_INTERVAL_MS = 5 * MINUTE_MS;
export const AWAY_MS = AWAY_HOURS * HOUR_MS;

/** One transaction for each member neither loses nor repeats an entry. */
export async function processOutbox(ctx: AppContext): Promise<void> {
  for (;;) {
    const members = await rows.findMembersWithEntries(ctx.db, BATCH_SIZE);
    let processed = 0;
    for (const memberId of members) processed += await processMember(ctx, memberId);
    // Another process has locked the rest.
    if (members.length < BATCH_SIZE || processed === 0) return;
  }
}

async function processMember(ctx: AppContext, memberId: number): Promise<number> {
  return ctx.db.transaction().execute(async (tx) => {
    const current = await preferences.tryLockPreferences(tx, memberId);
    if (!current) return 0;
    const taken = await rows.takeEntries(tx, memberId);
    if (taken.length === 0 || !current.has_channel) return taken.length;
    const now = ctx.clock.now().getTime();
    await preferences.updatePreferences(tx, memberId, {
      event_count: current.event_count + taken.length,
      has_unseen_match: current.has_unseen_match || taken.includes("match"),
      has_unseen_notice: current.has_unseen_notice || taken.includes("notice") || taken.includes("device"),
      push_due_at: current.push ? (current.push_due_at ?? new Date(now + PUSH_DELAY_MS)) : null,
      digest_due_at: current.digest
        ? (current.digest_due_at ?? ceilTo(new Date(now + AWAY_MS), HOUR_MS))
        : null,
    });
    return taken.length;
  });
}

export async function markSeen(ctx: AppContext, me: CurrentMember): Promise<{ listens: boolean }> {
  const known = await preferences.findPreferences(ctx.db, me.memberId);
  if (!known?.has_channel) return { listens: false };
  await ctx.db.transaction().execute(async (tx) => {
    const current = await preferences.lockPreferences(tx, me.memberId);
    if (!current) return;
    await rows.takeEntries(tx, me.memberId);
    await preferences.updatePreferences(tx, me.memberId, {
      seen_count: current.event_count,
      has_unseen_match: false,
      has_unseen_notice: false,
      push_due_at: null,
      digest_due_at: null,
      // The app has shown the card.
      ...(current.look_state === "found" && { look_state: "watching" }),
    });
  });
  return { listens: true };
}
