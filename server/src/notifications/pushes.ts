import { languageOf } from "@alcove/i18n";
import { hasUnread } from "../messaging/index.ts";
import type { Push, PushAnswer } from "../outside/push.ts";
import { MINUTE_MS, SECOND_MS } from "../platform/clock.ts";
import type { Tx } from "../platform/database.ts";
import type { Deps } from "../platform/deps.ts";
import { translator } from "../platform/language.ts";
import { takeTurns } from "../platform/turns.ts";
import { PAUSE_MS } from "./news.ts";
import * as notices from "./notices.sql.ts";
import { quietEnd } from "./quiet.ts";
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
  readonly no: number;
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
export async function pushDue(deps: Deps, push: Push): Promise<void> {
  const due = await notices.membersToPush(deps.db, deps.clock.now(), AT_ONCE);
  const takeTurn = takeTurns(SIDE_BY_SIDE);
  const done = await Promise.allSettled(due.map((no) => takeTurn(() => pushTo(deps, push, no))));
  for (const each of done) if (each.status === "rejected") throw each.reason;
}

async function pushTo(deps: Deps, push: Push, no: number): Promise<void> {
  const claimed = await claim(deps, no);
  if (!claimed) return;
  const answers = await Promise.all(claimed.devices.map((device) => tell(deps, push, device)));
  await finish(deps, claimed, answers);
}

/** Takes on to tell a member, if there is something to tell and nobody else does. */
async function claim(deps: Deps, no: number): Promise<Claimed | null> {
  return deps.db.transaction().execute(async (tx) => {
    const now = deps.clock.now();
    const notice = await notices.lockFreeNotice(tx, no);
    if (!notice?.push_due_at || notice.push_due_at > now) return null;
    const setDue = async (push_due_at: Date | null) => {
      await notices.updateNotice(tx, no, { push_due_at });
      return null;
    };
    if (!(await isNewsLeft(tx, notice))) return setDue(null);
    const end = quietEnd(notice, now);
    if (end) return setDue(end);
    const devices = await livingDevices(tx, deps, no);
    const waiting = devices.filter(
      ({ told, retry_at }) => told < notice.heard && (retry_at === null || retry_at <= now),
    );
    if (waiting.length === 0) return setDue(nextRetry(devices, notice.heard));
    const until = new Date(now.getTime() + LEASE_MS);
    await setDue(until);
    return { no, devices: waiting, heard: notice.heard, until };
  });
}

/** In the device's language: the neutral sentence, and nothing by which anybody could be known. */
async function tell(deps: Deps, push: Push, device: Subscription): Promise<PushAnswer> {
  const language = languageOf(device.language);
  const body = translator(language, "notifications")("somethingNew");
  const payload = JSON.stringify({ title: deps.settings.brandName, body, lang: language });
  return push.send(addressOf(deps, device), payload);
}

async function finish(
  deps: Deps,
  { no, devices, heard, until }: Claimed,
  answers: readonly PushAnswer[],
): Promise<void> {
  const now = deps.clock.now().getTime();
  const after: State[] = [];
  for (const [index, device] of devices.entries()) {
    const answer = answers[index]!;
    if (answer.kind === "gone") await forgetDevice(deps, no, device.endpoint_digest);
    else {
      const state = stateAfter(answer, device, heard, now);
      await updateSubscription(deps.db, device, state);
      after.push(state);
    }
  }
  await deps.db.transaction().execute(async (tx) => {
    const notice = await notices.lockNotice(tx, no);
    // The member has seen it meanwhile, or this took so long that another process has taken it on.
    if (notice?.push_due_at?.getTime() !== until.getTime()) return;
    const isNew = notice.heard > heard;
    const retry = nextRetry(after, heard);
    const again = isNew ? new Date(now + PAUSE_MS) : null;
    await notices.updateNotice(tx, no, {
      ...(answers.some(({ kind }) => kind === "told") && { pushed_at: new Date(now) }),
      push_due_at: earliest(retry, again),
    });
  });
}

type State = Pick<Subscription, "told" | "tries" | "retry_at">;

/** What is left to do for a device after it was tried. */
function stateAfter(answer: PushAnswer, device: Subscription, heard: number, now: number): State {
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
