import { languageOf } from "@alcove/i18n";
import { hasUnread } from "../messaging/index.ts";
import type { PushSender, PushResult } from "../integrations/push/web-push.ts";
import { MINUTE_MS, SECOND_MS } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext } from "../platform/context.ts";
import { translator } from "../platform/i18n.ts";
import { semaphore } from "../platform/lib/semaphore.ts";
import { PAUSE_MS } from "./outbox.ts";
import * as notices from "./preferences.sql.ts";
import { quietEnd } from "./quiet-hours.ts";
import { addressOf, forgetDevice, livingDevices } from "./subscriptions.ts";
import { type Subscription, updateSubscription } from "./subscriptions.sql.ts";

const AT_ONCE = 200;
/** So many members are told side by side: whose push service hangs keeps few others waiting. */
const SIDE_BY_SIDE = 32;
/** A process that has taken on to tell a member has so long, before another one does. */
const LEASE_MS = MINUTE_MS;
const FIRST_RETRY_MS = 30 * SECOND_MS;
const LONGEST_RETRY_MS = 60 * MINUTE_MS;
/** A push service that was asked so often has had its chance: the next news is told anew. */
const TRIES = 5;

interface Claimed {
  readonly memberId: number;
  readonly devices: readonly Subscription[];
  readonly heard: number;
  readonly until: Date;
}

/** Whether a member has still not seen something that it was not told in vain. */
export async function isNewsLeft(tx: Tx, notice: notices.Notice): Promise<boolean> {
  if (notice.seen >= notice.heard) return false;
  return notice.with_match || hasUnread(tx, notice.member_no);
}

/** Tells the devices of all members that are due. Of several processes one tells a member; should it die, another. */
export async function pushDue(ctx: AppContext, push: PushSender): Promise<void> {
  const due = await notices.membersToPush(ctx.db, ctx.clock.now(), AT_ONCE);
  const takeTurn = semaphore(SIDE_BY_SIDE);
  const done = await Promise.allSettled(due.map((memberId) => takeTurn(() => pushTo(ctx, push, memberId))));
  for (const each of done) if (each.status === "rejected") throw each.reason;
}

async function pushTo(ctx: AppContext, push: PushSender, memberId: number): Promise<void> {
  const claimed = await claim(ctx, memberId);
  if (!claimed) return;
  const answers = await Promise.all(claimed.devices.map((device) => tell(ctx, push, device)));
  await finish(ctx, claimed, answers);
}

/** Takes on to tell a member, if there is something to tell and nobody else does. */
async function claim(ctx: AppContext, memberId: number): Promise<Claimed | null> {
  return ctx.db.transaction().execute(async (tx) => {
    const now = ctx.clock.now();
    const notice = await notices.lockFreeNotice(tx, memberId);
    if (!notice?.push_due_at || notice.push_due_at > now) return null;
    const setDue = async (push_due_at: Date | null) => {
      await notices.updateNotice(tx, memberId, { push_due_at });
      return null;
    };
    if (!(await isNewsLeft(tx, notice))) return setDue(null);
    const end = quietEnd(notice, now);
    if (end) return setDue(end);
    const devices = await livingDevices(tx, ctx, memberId);
    const waiting = devices.filter(
      ({ told, retry_at }) => told < notice.heard && (retry_at === null || retry_at <= now),
    );
    if (waiting.length === 0) return setDue(nextRetry(devices, notice.heard));
    const until = new Date(now.getTime() + LEASE_MS);
    await setDue(until);
    return { memberId, devices: waiting, heard: notice.heard, until };
  });
}

/** In the device's language: the neutral sentence, and nothing by which anybody could be known. */
async function tell(ctx: AppContext, push: PushSender, device: Subscription): Promise<PushResult> {
  const language = languageOf(device.language);
  const body = translator(language, "notifications")("somethingNew");
  const payload = JSON.stringify({ title: ctx.config.brandName, body, lang: language });
  return push.send(addressOf(ctx, device), payload);
}

async function finish(
  ctx: AppContext,
  { memberId, devices, heard, until }: Claimed,
  answers: readonly PushResult[],
): Promise<void> {
  const now = ctx.clock.now().getTime();
  const after: State[] = [];
  for (const [index, device] of devices.entries()) {
    const answer = answers[index]!;
    if (answer.kind === "gone") await forgetDevice(ctx, memberId, device.endpoint_digest);
    else {
      const state = stateAfter(answer, device, heard, now);
      await updateSubscription(ctx.db, device, state);
      after.push(state);
    }
  }
  await ctx.db.transaction().execute(async (tx) => {
    const notice = await notices.lockNotice(tx, memberId);
    // The member has seen it meanwhile, or this took so long that another process has taken it on.
    if (notice?.push_due_at?.getTime() !== until.getTime()) return;
    const isNew = notice.heard > heard;
    const retry = nextRetry(after, heard);
    const again = isNew ? new Date(now + PAUSE_MS) : null;
    await notices.updateNotice(tx, memberId, {
      ...(answers.some(({ kind }) => kind === "told") && { pushed_at: new Date(now) }),
      push_due_at: earliest(retry, again),
    });
  });
}

type State = Pick<Subscription, "told" | "tries" | "retry_at">;

/** What is left to do for a device after it was tried. */
function stateAfter(answer: PushResult, device: Subscription, heard: number, now: number): State {
  const tries = device.tries + 1;
  if (answer.kind !== "later" || tries >= TRIES) return { told: heard, tries: 0, retry_at: null };
  const pause = Math.max(answer.afterMs ?? 0, FIRST_RETRY_MS * 2 ** device.tries);
  return { told: device.told, tries, retry_at: new Date(now + Math.min(pause, LONGEST_RETRY_MS)) };
}

/** When the first of the devices is to be tried that were told less than there is; null when all were told. */
function nextRetry(devices: readonly State[], heard: number): Date | null {
  return earliest(...devices.map(({ told, retry_at }) => (told < heard ? retry_at : null)));
}

function earliest(...times: readonly (Date | null)[]): Date | null {
  const known = times.filter((time) => time !== null).map((time) => time.getTime());
  return known.length > 0 ? new Date(Math.min(...known)) : null;
}
