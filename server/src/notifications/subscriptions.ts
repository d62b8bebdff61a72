import type { ParsedOf } from "@alcove/contract";
import { PUSH_DEVICES_MAX } from "@alcove/contract/limits";
import type { subscribePush } from "@alcove/contract/notifications";
import type { Language } from "@alcove/i18n";
import { shareLockMember } from "../members/locks.ts";
import { nativeServices, type NativeDevice, type PushTarget } from "../integrations/push/push-sender.ts";
import { isPushKey, isAllowedEndpoint, type PushSubscription } from "../integrations/push/web-push.ts";
import { DAY_MS, floorTo } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { ApiError, validationError } from "../platform/errors.ts";
import { DEFAULT_PREFERENCES } from "./preferences.ts";
import * as preferences from "./preferences.sql.ts";
import * as rows from "./subscriptions.sql.ts";

export async function subscribe(
  ctx: AppContext,
  me: CurrentMember,
  { endpoint, p256dh, auth }: ParsedOf<typeof subscribePush>,
  language: Language,
): Promise<void> {
  if (!isAllowedEndpoint(ctx.config, endpoint)) throw validationError({ endpoint: "url_invalid" });
  if (!isPushKey(p256dh)) throw validationError({ p256dh: "invalid" });
  await addDevice(ctx, me, { endpoint, p256dh, auth }, language);
}

export async function subscribeNative(
  ctx: AppContext,
  me: CurrentMember,
  device: NativeDevice,
  language: Language,
): Promise<void> {
  if (!nativeServices(ctx.config).includes(device.service)) throw new ApiError("not_found");
  await addDevice(ctx, me, device, language);
}

/**
 * Replaces the oldest device beyond the limit. A device of another member changes its owner. An app has one token at a
 * time, so a new one replaces the session's previous one.
 */
async function addDevice(
  ctx: AppContext,
  me: CurrentMember,
  target: PushTarget,
  language: Language,
): Promise<void> {
  const digest = digestOf(ctx, target);
  const isReplaced = ({ session_id }: rows.Subscription) => "service" in target && session_id === me.session;

  await ctx.db.transaction().execute(async (tx) => {
    if (!(await shareLockMember(tx, me.memberId))) throw new ApiError("login_required");
    await preferences.insertPreferences(tx, { member_no: me.memberId, ...DEFAULT_PREFERENCES });
    const current = (await preferences.lockPreferences(tx, me.memberId))!;
    const previousOwner = await rows.assignEndpoint(tx, digest, me.memberId);
    if (previousOwner !== null) await rows.deleteSubscriptions(tx, previousOwner, [digest]);
    const others = (await rows.readSubscriptions(tx, me.memberId)).filter(
      ({ endpoint_digest }) => !endpoint_digest.equals(digest),
    );
    const kept = others.filter((other) => !isReplaced(other));
    const excess = kept.slice(0, Math.max(0, kept.length + 1 - PUSH_DEVICES_MAX));
    await deleteDevices(tx, me.memberId, [...others.filter(isReplaced), ...excess]);
    await rows.upsertSubscription(tx, {
      member_no: me.memberId,
      endpoint_digest: digest,
      session_id: me.session,
      encrypted_subscription: await ctx.encryption.encrypt(
        me.memberId,
        JSON.stringify(target),
        subscriptionContext(me.memberId, digest),
      ),
      language,
      created_at: floorTo(ctx.clock.now(), DAY_MS),
      notified_count: current.event_count,
      attempts: 0,
      retry_at: null,
    });
    await preferences.updateHasChannel(tx, me.memberId);
  });
}

export async function unsubscribe(
  ctx: AppContext,
  me: CurrentMember,
  target: Pick<PushSubscription, "endpoint"> | NativeDevice,
): Promise<void> {
  await deleteDevice(ctx, me.memberId, digestOf(ctx, target));
}

/** The event can be lost: `readActiveDevices` checks again before each push. */
export async function deleteSessionDevices(
  ctx: AppContext,
  memberId: number,
  session: string,
): Promise<void> {
  for (const digest of await rows.readEndpointsOfSession(ctx.db, memberId, session))
    await deleteDevice(ctx, memberId, digest);
}

export async function deleteDevice(ctx: AppContext, memberId: number, digest: Buffer): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    await preferences.lockPreferences(tx, memberId);
    await deleteDevices(tx, memberId, [{ endpoint_digest: digest }]);
    await preferences.updateHasChannel(tx, memberId);
  });
}

/** Deletes the devices whose sessions have ended. */
export async function readActiveDevices(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
): Promise<rows.Subscription[]> {
  const ended = await rows.readEndedSubscriptions(tx, ctx.clock.now(), { memberId });
  if (ended.length > 0) {
    await deleteDevices(tx, memberId, ended);
    await preferences.updateHasChannel(tx, memberId);
  }
  return rows.readSubscriptions(tx, memberId);
}

export async function deleteEndedDevices(ctx: AppContext): Promise<void> {
  for (const { member_no, endpoint_digest } of await rows.readEndedSubscriptions(ctx.db, ctx.clock.now()))
    await deleteDevice(ctx, member_no, endpoint_digest);
}

export async function decryptSubscription(
  { encryption }: AppContext,
  { member_no, endpoint_digest, encrypted_subscription }: rows.Subscription,
): Promise<PushTarget> {
  const context = subscriptionContext(member_no, endpoint_digest);
  return JSON.parse(await encryption.decrypt(encrypted_subscription, context)) as PushTarget;
}

export async function deleteAllDevices(tx: Tx, memberId: number): Promise<void> {
  await deleteDevices(tx, memberId, await rows.readSubscriptions(tx, memberId));
}

/** NOTE: the preferences must be locked. */
async function deleteDevices(
  tx: Tx,
  memberId: number,
  devices: readonly Pick<rows.Subscription, "endpoint_digest">[],
): Promise<void> {
  const digests = devices.map(({ endpoint_digest }) => endpoint_digest);
  await rows.deleteEndpoints(tx, memberId, digests);
  await rows.deleteSubscriptions(tx, memberId, digests);
}

function digestOf(
  { encryption }: AppContext,
  target: Pick<PushSubscription, "endpoint"> | NativeDevice,
): Buffer {
  const address = "service" in target ? `${target.service}:${target.token}` : target.endpoint;
  return encryption.blindIndex(address, "push endpoint");
}

function subscriptionContext(memberId: number, digest: Buffer): string {
  return `push_subscriptions.encrypted_subscription:${memberId}:${digest.toString("hex")}`;
}
