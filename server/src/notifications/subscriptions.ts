import type { ParsedOf } from "@alcove/contract";
import { PUSH_DEVICES_MAX } from "@alcove/contract/limits";
import type { subscribePush } from "@alcove/contract/notifications";
import type { Language } from "@alcove/i18n";
import { findOpenSessionIds, shareLockMember } from "../accounts/index.ts";
import { isPushKey, mayBeEndpoint, type PushSubscription } from "../integrations/push/web-push.ts";
import type { Db, Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { ApiError, validationError } from "../platform/errors.ts";
import { DEFAULTS } from "./preferences.ts";
import * as notices from "./preferences.sql.ts";
import * as rows from "./subscriptions.sql.ts";

const SWEPT_AT_ONCE = 500;

/**
 * Lets a device be told, as long as this session lives. Who subscribes one device more than there may be replaces the
 * oldest; a device that was another member's is so no more.
 */
export async function subscribe(
  ctx: AppContext,
  me: CurrentMember,
  { endpoint, p256dh, auth }: ParsedOf<typeof subscribePush>,
  language: Language,
): Promise<void> {
  if (!mayBeEndpoint(ctx.config, endpoint)) throw validationError({ endpoint: "url_invalid" });
  if (!isPushKey(p256dh)) throw validationError({ p256dh: "invalid" });
  const digest = digestOf(ctx, endpoint);
  const address: PushSubscription = { endpoint, p256dh, auth };

  await ctx.db.transaction().execute(async (tx) => {
    if (!(await shareLockMember(tx, me.memberId))) throw new ApiError("login_required");
    await notices.insertNotice(tx, { member_no: me.memberId, ...DEFAULTS });
    const notice = (await notices.lockNotice(tx, me.memberId))!;
    const formerly = await rows.takeEndpoint(tx, digest, me.memberId);
    if (formerly !== null) await rows.deleteSubscriptions(tx, formerly, [digest]);
    const others = (await rows.subscriptionsOf(tx, me.memberId)).filter(
      ({ endpoint_digest }) => !endpoint_digest.equals(digest),
    );
    const tooMany = others.slice(0, Math.max(0, others.length + 1 - PUSH_DEVICES_MAX));
    await forget(tx, me.memberId, tooMany);
    await rows.upsertSubscription(tx, {
      member_no: me.memberId,
      endpoint_digest: digest,
      session_id: me.session,
      encrypted: ctx.encryption.encrypt(JSON.stringify(address), context(me.memberId, digest)),
      language,
      created_at: ctx.clock.now(),
      // What came before is no news to this device.
      told: notice.heard,
      tries: 0,
      retry_at: null,
    });
    await notices.updateListens(tx, me.memberId);
  });
}

/** Lets one of the caller's devices be told no more; harmless for any other. */
export async function unsubscribe(ctx: AppContext, me: CurrentMember, endpoint: string): Promise<void> {
  await forgetDevice(ctx, me.memberId, digestOf(ctx, endpoint));
}

/** Forgets the devices of a session that has ended. Whoever missed the hint finds them dead before anything is sent. */
export async function forgetSession(ctx: AppContext, session: string): Promise<void> {
  for (const { member_no, endpoint_digest } of await rows.subscriptionsOfSession(ctx.db, session))
    await forgetDevice(ctx, member_no, endpoint_digest);
}

/** Forgets a device that is told no more. */
export async function forgetDevice(ctx: AppContext, memberId: number, digest: Buffer): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await notices.lockNotice(tx, memberId);
    await forget(tx, memberId, [{ endpoint_digest: digest }]);
    await notices.updateListens(tx, memberId);
  });
}

/** The member's devices whose sessions live; the others are forgotten. */
export async function livingDevices(tx: Tx, ctx: AppContext, memberId: number): Promise<rows.Subscription[]> {
  const all = await rows.subscriptionsOf(tx, memberId);
  const alive = await livingAmong(tx, ctx, all);
  const dead = all.filter(({ session_id }) => !alive.has(session_id));
  if (dead.length > 0) {
    await forget(tx, memberId, dead);
    await notices.updateListens(tx, memberId);
  }
  return all.filter(({ session_id }) => alive.has(session_id));
}

/** Forgets devices whose sessions ended without anybody hearing of it. */
export async function sweepDevices(ctx: AppContext): Promise<void> {
  let after: Pick<rows.Subscription, "member_no" | "endpoint_digest"> = {
    member_no: 0,
    endpoint_digest: Buffer.alloc(0),
  };
  for (;;) {
    const page = await rows.subscriptionsAfter(ctx.db, after, SWEPT_AT_ONCE);
    const alive = await livingAmong(ctx.db, ctx, page);
    for (const { member_no, endpoint_digest, session_id } of page)
      if (!alive.has(session_id)) await forgetDevice(ctx, member_no, endpoint_digest);
    if (page.length < SWEPT_AT_ONCE) return;
    after = page.at(-1)!;
  }
}

/** Where a device is told. */
export function addressOf(
  ctx: AppContext,
  { member_no, endpoint_digest, encrypted }: rows.Subscription,
): PushSubscription {
  return JSON.parse(
    ctx.encryption.decrypt(encrypted, context(member_no, endpoint_digest)),
  ) as PushSubscription;
}

/** Removes all devices of a member who is being deleted. */
export async function forgetDevicesOf(tx: Tx, memberId: number): Promise<void> {
  await forget(tx, memberId, await rows.subscriptionsOf(tx, memberId));
}

/** Under the lock of `notices`; the endpoint before the device, as in subscribing. */
async function forget(
  tx: Tx,
  memberId: number,
  devices: readonly Pick<rows.Subscription, "endpoint_digest">[],
): Promise<void> {
  const digests = devices.map(({ endpoint_digest }) => endpoint_digest);
  await rows.deleteEndpoints(tx, memberId, digests);
  await rows.deleteSubscriptions(tx, memberId, digests);
}

async function livingAmong(
  db: Db,
  ctx: AppContext,
  devices: readonly { session_id: string }[],
): Promise<ReadonlySet<string>> {
  const sessions = [...new Set(devices.map(({ session_id }) => session_id))];
  return new Set(await findOpenSessionIds(db, sessions, ctx.clock.now()));
}

function digestOf({ encryption }: AppContext, endpoint: string): Buffer {
  return encryption.blindIndex(endpoint, "push endpoint");
}

function context(memberId: number, digest: Buffer): string {
  return `push_subscriptions.encrypted:${memberId}:${digest.toString("hex")}`;
}
