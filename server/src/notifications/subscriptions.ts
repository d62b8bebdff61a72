import type { ParsedOf } from "@alcove/contract";
import { PUSH_DEVICES_MAX } from "@alcove/contract/limits";
import type { subscribePush } from "@alcove/contract/notifications";
import type { Language } from "@alcove/i18n";
import { findLivingSessions, holdMember } from "../accounts/index.ts";
import { isPushKey, mayBeEndpoint, type PushAddress } from "../outside/push.ts";
import type { Db, Tx } from "../platform/database.ts";
import type { Deps, Me } from "../platform/deps.ts";
import { refuse, refuseFields } from "../platform/refuse.ts";
import { DEFAULTS } from "./choices.ts";
import * as notices from "./notices.sql.ts";
import * as rows from "./subscriptions.sql.ts";

const SWEPT_AT_ONCE = 500;

/**
 * Lets a device be told, as long as this session lives. Who subscribes one device more than there may be replaces the
 * oldest; a device that was another member's is so no more.
 */
export async function subscribe(
  deps: Deps,
  me: Me,
  { endpoint, p256dh, auth }: ParsedOf<typeof subscribePush>,
  language: Language,
): Promise<void> {
  if (!mayBeEndpoint(deps.settings, endpoint)) throw refuseFields({ endpoint: "url_invalid" });
  if (!isPushKey(p256dh)) throw refuseFields({ p256dh: "invalid" });
  const digest = digestOf(deps, endpoint);
  const address: PushAddress = { endpoint, p256dh, auth };

  await deps.db.transaction().execute(async (tx) => {
    if (!(await holdMember(tx, me.no))) throw refuse("login_required");
    await notices.insertNotice(tx, { member_no: me.no, ...DEFAULTS });
    const notice = (await notices.lockNotice(tx, me.no))!;
    const formerly = await rows.takeEndpoint(tx, digest, me.no);
    if (formerly !== null) await rows.deleteSubscriptions(tx, formerly, [digest]);
    const others = (await rows.subscriptionsOf(tx, me.no)).filter(
      ({ endpoint_digest }) => !endpoint_digest.equals(digest),
    );
    const tooMany = others.slice(0, Math.max(0, others.length + 1 - PUSH_DEVICES_MAX));
    await forget(tx, me.no, tooMany);
    await rows.upsertSubscription(tx, {
      member_no: me.no,
      endpoint_digest: digest,
      session_id: me.session,
      sealed: deps.sealing.seal(JSON.stringify(address), context(me.no, digest)),
      language,
      created_at: deps.clock.now(),
      // What came before is no news to this device.
      told: notice.heard,
      tries: 0,
      retry_at: null,
    });
    await notices.updateListens(tx, me.no);
  });
}

/** Lets one of the caller's devices be told no more; harmless for any other. */
export async function unsubscribe(deps: Deps, me: Me, endpoint: string): Promise<void> {
  await forgetDevice(deps, me.no, digestOf(deps, endpoint));
}

/** Forgets the devices of a session that has ended. Whoever missed the hint finds them dead before anything is sent. */
export async function forgetSession(deps: Deps, session: string): Promise<void> {
  for (const { member_no, endpoint_digest } of await rows.subscriptionsOfSession(deps.db, session))
    await forgetDevice(deps, member_no, endpoint_digest);
}

/** Forgets a device that is told no more. */
export async function forgetDevice(deps: Deps, no: number, digest: Buffer): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    await notices.lockNotice(tx, no);
    await forget(tx, no, [{ endpoint_digest: digest }]);
    await notices.updateListens(tx, no);
  });
}

/** The member's devices whose sessions live; the others are forgotten. */
export async function livingDevices(tx: Tx, deps: Deps, no: number): Promise<rows.Subscription[]> {
  const all = await rows.subscriptionsOf(tx, no);
  const alive = await livingAmong(tx, deps, all);
  const dead = all.filter(({ session_id }) => !alive.has(session_id));
  if (dead.length > 0) {
    await forget(tx, no, dead);
    await notices.updateListens(tx, no);
  }
  return all.filter(({ session_id }) => alive.has(session_id));
}

/** Forgets devices whose sessions ended without anybody hearing of it. */
export async function sweepDevices(deps: Deps): Promise<void> {
  let after: Pick<rows.Subscription, "member_no" | "endpoint_digest"> = {
    member_no: 0,
    endpoint_digest: Buffer.alloc(0),
  };
  for (;;) {
    const page = await rows.subscriptionsAfter(deps.db, after, SWEPT_AT_ONCE);
    const alive = await livingAmong(deps.db, deps, page);
    for (const { member_no, endpoint_digest, session_id } of page)
      if (!alive.has(session_id)) await forgetDevice(deps, member_no, endpoint_digest);
    if (page.length < SWEPT_AT_ONCE) return;
    after = page.at(-1)!;
  }
}

/** Where a device is told. */
export function addressOf(
  deps: Deps,
  { member_no, endpoint_digest, sealed }: rows.Subscription,
): PushAddress {
  return JSON.parse(deps.sealing.open(sealed, context(member_no, endpoint_digest))) as PushAddress;
}

/** Removes all devices of a member who is being deleted. */
export async function forgetDevicesOf(tx: Tx, no: number): Promise<void> {
  await forget(tx, no, await rows.subscriptionsOf(tx, no));
}

/** Under the lock of `notices`; the endpoint before the device, as in subscribing. */
async function forget(
  tx: Tx,
  no: number,
  devices: readonly Pick<rows.Subscription, "endpoint_digest">[],
): Promise<void> {
  const digests = devices.map(({ endpoint_digest }) => endpoint_digest);
  await rows.deleteEndpoints(tx, no, digests);
  await rows.deleteSubscriptions(tx, no, digests);
}

async function livingAmong(
  db: Db,
  deps: Deps,
  devices: readonly { session_id: string }[],
): Promise<ReadonlySet<string>> {
  const sessions = [...new Set(devices.map(({ session_id }) => session_id))];
  return new Set(await findLivingSessions(db, sessions, deps.clock.now()));
}

function digestOf({ sealing }: Deps, endpoint: string): Buffer {
  return sealing.blindIndex(endpoint, "push endpoint");
}

function context(no: number, digest: Buffer): string {
  return `push_subscriptions.sealed:${no}:${digest.toString("hex")}`;
}
