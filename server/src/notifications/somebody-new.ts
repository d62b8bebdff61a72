import { randomInt, randomUUID } from "node:crypto";
import { hasSomebodyNew } from "../discovery/index.ts";
import { ceilTo, DAY_MS, HOUR_MS } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import { addEntry } from "./outbox.sql.ts";
import * as preferences from "./preferences.sql.ts";
import { notifySoon } from "./scheduler.ts";

/**
 * Notifies a member who had nobody left of somebody new (docs/product-rules.md, Somebody new).
 *
 * `watching`: somebody is left, or nothing is known. `nobody`: the last look found nobody. `found`: a look after that
 * found somebody, and the notification waits for a random time, so that it dates nothing.
 */
type LookState = NonNullable<preferences.Preferences["look_state"]>;

interface Look {
  readonly memberId: number;
  readonly state: LookState;
  /** The next look if this one fails. */
  readonly until: Date;
}

const BATCH_SIZE = 200;
const LOOK_MS = DAY_MS;
/** With a day until the look and the rounding to hours: one to seven days after somebody came. */
const DELAY_HOURS = { least: 24, most: 142 } as const;
const PAUSE_MS = 7 * DAY_MS;

export async function lookForSomebodyNew(ctx: AppContext): Promise<void> {
  for (;;) {
    const due = await preferences.findMembersWithDueLook(ctx.db, ctx.clock.now(), BATCH_SIZE);
    for (const memberId of due) await look(ctx, memberId);
    if (due.length < BATCH_SIZE) return;
  }
}

async function look(ctx: AppContext, memberId: number): Promise<void> {
  const claimed = await claim(ctx, memberId);
  if (!claimed) return;
  const found = await hasSomebodyNew(ctx, memberId);
  const isAdded = await ctx.db.transaction().execute(async (tx) => {
    const current = await preferences.lockPreferences(tx, memberId);
    if (current?.look_state !== claimed.state || current.look_at?.getTime() !== claimed.until.getTime())
      return false;
    await preferences.updatePreferences(tx, memberId, nextLook(claimed.state, found, ctx.clock.now()));
    if (claimed.state !== "found" || !found) return false;
    return addEntry(tx, { memberId, from: null, entryId: randomUUID(), kind: "notice" });
  });
  if (isAdded) notifySoon(ctx);
}

/** The search has connections of its own. */
async function claim(ctx: AppContext, memberId: number): Promise<Look | null> {
  return ctx.db.transaction().execute(async (tx) => {
    const now = ctx.clock.now();
    const current = await preferences.tryLockPreferences(tx, memberId);
    if (!current?.look_state || !current.look_at || current.look_at > now) return null;
    const until = inHours(now, LOOK_MS);
    await preferences.updatePreferences(tx, memberId, { look_at: until });
    return { memberId, state: current.look_state, until };
  });
}

function nextLook(
  state: LookState,
  found: boolean | null,
  now: Date,
): Partial<Pick<preferences.Preferences, "look_state" | "look_at">> {
  if (found === null) return { look_state: "watching" };
  if (!found) return { look_state: "nobody" };
  if (state === "nobody") {
    const hours = randomInt(DELAY_HOURS.least, DELAY_HOURS.most + 1);
    return { look_state: "found", look_at: inHours(now, hours * HOUR_MS) };
  }
  return { look_state: "watching", ...(state === "found" && { look_at: inHours(now, PAUSE_MS) }) };
}

function inHours(now: Date, ms: number): Date {
  return ceilTo(new Date(now.getTime() + ms), HOUR_MS);
}
