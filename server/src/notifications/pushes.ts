import { languageOf } from "@alcove/i18n";
import type { PushResult } from "../integrations/push/push-result.ts";
import type { PushSender } from "../integrations/push/push-sender.ts";
import { MINUTE_MS, SECOND_MS } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { translator } from "../platform/i18n.ts";
import { semaphore } from "../platform/lib/semaphore.ts";
import { PUSH_INTERVAL_MS } from "./outbox.ts";
import * as preferences from "./preferences.sql.ts";
import { findTimeZone } from "../members/members.sql.ts";
import { endOfQuietHours } from "./quiet-hours.ts";
import { deleteDevice, readActiveDevices, decryptSubscription } from "./subscriptions.ts";
import { type Subscription, updateSubscription } from "./subscriptions.sql.ts";
import { hasNewMatch, hasUnread } from "./unread.sql.ts";

const BATCH_SIZE = 200;
const CONCURRENT_MEMBERS = 32;
/** After the lease, another process takes over a member's pushes. */
const LEASE_MS = MINUTE_MS;
const FIRST_RETRY_MS = 30 * SECOND_MS;
const LONGEST_RETRY_MS = 60 * MINUTE_MS;
const ATTEMPTS_MAX = 5;

interface Claim {
  readonly memberId: number;
  readonly devices: readonly Subscription[];
  readonly eventCount: number;
  readonly until: Date;
}

export async function hasUnseenEvent(tx: Tx, current: preferences.Preferences): Promise<boolean> {
  if (current.seen_count >= current.event_count) return false;
  if (current.has_unseen_notice) return true;
  if (current.has_unseen_match && (await hasNewMatch(tx, current.member_no))) return true;
  return hasUnread(tx, current.member_no);
}

export function findDuePushes(ctx: AppContext): Promise<number[]> {
  return preferences.findMembersWithDuePush(ctx.db, ctx.clock.now(), BATCH_SIZE);
}

/** Another process may send some of these pushes meanwhile. */
export async function sendPushes(ctx: AppContext, push: PushSender, due: readonly number[]): Promise<void> {
  const limited = semaphore(CONCURRENT_MEMBERS);
  const results = await Promise.allSettled(
    due.map((memberId) => limited(() => pushToMember(ctx, push, memberId))),
  );
  for (const result of results) if (result.status === "rejected") throw result.reason;
}

async function pushToMember(ctx: AppContext, push: PushSender, memberId: number): Promise<void> {
  const claim = await claimPushes(ctx, memberId);
  if (!claim) return;
  const results = await Promise.all(claim.devices.map((device) => pushToDevice(ctx, push, device)));
  await recordResults(ctx, claim, results);
}

async function claimPushes(ctx: AppContext, memberId: number): Promise<Claim | null> {
  return ctx.db.transaction().execute(async (tx) => {
    const now = ctx.clock.now();
    const current = await preferences.tryLockPreferences(tx, memberId);
    if (!current?.push_due_at || current.push_due_at > now) return null;
    const postpone = async (push_due_at: Date | null) => {
      await preferences.updatePreferences(tx, memberId, { push_due_at });
      return null;
    };
    if (!(await hasUnseenEvent(tx, current))) return postpone(null);
    const quietUntil = endOfQuietHours(current, await findTimeZone(tx, memberId), now);
    if (quietUntil) return postpone(quietUntil);
    const eventCount = current.event_count;
    const active = await readActiveDevices(tx, ctx, memberId);
    const devices = active.filter(
      ({ notified_count, retry_at }) => notified_count < eventCount && (retry_at === null || retry_at <= now),
    );
    if (devices.length === 0) return postpone(nextRetry(active, eventCount));
    const until = new Date(now.getTime() + LEASE_MS);
    await postpone(until);
    return { memberId, devices, eventCount, until };
  });
}

/** The text names no person and no event. */
async function pushToDevice(ctx: AppContext, push: PushSender, device: Subscription): Promise<PushResult> {
  const language = languageOf(device.language);
  const body = translator(language, "notifications")("somethingNew");
  return push.send(await decryptSubscription(ctx, device), { title: ctx.config.brandName, body, language });
}

async function recordResults(
  ctx: AppContext,
  { memberId, devices, eventCount, until }: Claim,
  results: readonly PushResult[],
): Promise<void> {
  const now = ctx.clock.now().getTime();
  const states: DeviceState[] = [];
  for (const [index, device] of devices.entries()) {
    const result = results[index]!;
    if (result.kind === "gone") await deleteDevice(ctx, memberId, device.endpoint_digest);
    else {
      const state = nextState(result, device, eventCount, now);
      await updateSubscription(ctx.db, device, state);
      states.push(state);
    }
  }
  await ctx.db.transaction().execute(async (tx) => {
    const current = await preferences.lockPreferences(tx, memberId);
    // The member has looked at the app, or another process took over.
    if (current?.push_due_at?.getTime() !== until.getTime()) return;
    // Without a new event until then, nothing is sent and no time remains.
    const isWaiting = current.event_count > eventCount || results.some(({ kind }) => kind === "sent");
    const nextPushAt = isWaiting ? new Date(now + PUSH_INTERVAL_MS) : null;
    const push_due_at = earliest(nextRetry(states, eventCount), nextPushAt);
    await preferences.updatePreferences(tx, memberId, { push_due_at });
  });
}

type DeviceState = Pick<Subscription, "notified_count" | "attempts" | "retry_at">;

function nextState(result: PushResult, device: Subscription, eventCount: number, now: number): DeviceState {
  const attempts = device.attempts + 1;
  if (result.kind !== "retry" || attempts >= ATTEMPTS_MAX)
    return { notified_count: eventCount, attempts: 0, retry_at: null };
  const delayMs = Math.max(result.afterMs ?? 0, FIRST_RETRY_MS * 2 ** device.attempts);
  const retryAt = new Date(now + Math.min(delayMs, LONGEST_RETRY_MS));
  return { notified_count: device.notified_count, attempts, retry_at: retryAt };
}

function nextRetry(devices: readonly DeviceState[], eventCount: number): Date | null {
  return earliest(
    ...devices.map(({ notified_count, retry_at }) => (notified_count < eventCount ? retry_at : null)),
  );
}

function earliest(...times: readonly (Date | null)[]): Date | null {
  const known = times.filter((time) => time !== null).map((time) => time.getTime());
  return known.length > 0 ? new Date(Math.min(...known)) : null;
}
