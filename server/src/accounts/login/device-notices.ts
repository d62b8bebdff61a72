import type { AppContext, CurrentMember } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import { openToken, sealToken } from "../../platform/keys/sealed-token.ts";
import { publicOrigin } from "../../platform/public-origin.ts";
import { sendMemberEmail, shownDay } from "../emails/emails.ts";
import type { NewDeviceEmailJob } from "../events.ts";
import { newSince } from "./new-devices.ts";
import * as rows from "./new-devices.sql.ts";
import { endDevice, findDeviceOf } from "./sessions.ts";
import { bytesOf, keyIn, UUID } from "./tokens.ts";

const TOKEN_PURPOSE = "new device emails";

/** Names the day and the kind of device, no place. */
export async function sendNewDeviceEmail(ctx: AppContext, job: NewDeviceEmailJob): Promise<void> {
  const key = { memberId: job.memberId, session: job.session };
  const device = await findDeviceOf(ctx, key);
  if (!device) return;
  const token = sealToken(ctx.secrets, bytesOf(key), TOKEN_PURPOSE);
  await sendMemberEmail(ctx, job, (t, language) => [
    t("newDevice", { day: shownDay(device.day), device: device.nameIn(language) }),
    t("newDeviceNext"),
    `${publicOrigin(ctx.config)}/${language}/not-me#${token}`,
  ]);
}

/** Needs no login: ends the session that the email is about, with all of its device, and forgets that. Safe to repeat. */
export async function denyDevice(ctx: AppContext, token: string): Promise<void> {
  const opened = openToken(ctx.secrets, token, TOKEN_PURPOSE);
  if (opened === null) throw new ApiError("not_found");
  await endDevice(ctx, keyIn(opened));
}

/** A new device confirms none, so that a stranger cannot confirm their own. */
export async function confirmDevice(ctx: AppContext, me: CurrentMember, session: string): Promise<void> {
  const now = ctx.clock.now();
  const key = { memberId: me.memberId, session };
  const isConfirmed =
    UUID.test(session) &&
    (await rows.confirmSession(ctx.db, key, { now, newSince: newSince(now) }, me.session));
  if (!isConfirmed) throw new ApiError("session_not_found");
  ctx.eventBus.publish("device_added", key);
}

export async function saveDeviceSetting(
  ctx: AppContext,
  { memberId }: CurrentMember,
  tells: boolean,
): Promise<void> {
  await ctx.db.transaction().execute((tx) => rows.saveDeviceNotices(tx, memberId, { is_off: !tells }));
}

export function pushAccountChanges({ eventBus, sockets }: AppContext): void {
  eventBus.subscribe("account_changed", ({ memberId, language }) =>
    sockets.send(memberId, () => ({ changed: { language } })),
  );
}

export function pushNewDevices({ eventBus, sockets }: AppContext): void {
  eventBus.subscribe("device_added", ({ memberId, session: id }) =>
    sockets.send(memberId, (session) => (session === id ? null : { device: { id } })),
  );
}
