import { randomUUID } from "node:crypto";
import { NEW_DEVICE_DAYS } from "@alcove/contract/limits";
import { RETENTION } from "@alcove/contract/retention";
import { DAY_MS, utcDay } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import * as rows from "./new-devices.sql.ts";

/** Rows of sessions stay at least as long, so a younger account without one never logged in. */
const SESSION_ROW_MS = (RETENTION.sessionDays + RETENTION.deviceDays) * DAY_MS;

export const newSince = (now: Date): Date => new Date(now.getTime() - NEW_DEVICE_DAYS * DAY_MS);

export interface DeviceLogin {
  readonly memberId: number;
  readonly session: string;
  readonly digest: Buffer;
  readonly joinedAt: Date;
  /** Others, or the member, entered wrong passwords first. */
  readonly afterWrongPasswords: boolean;
}

interface Notice {
  /** Known devices show the session, and it confirms no other. */
  readonly isNew: boolean;
  /** Known devices get a notification. */
  readonly isNotified: boolean;
}

/**
 * Decides the effects of a login from an unknown device, and queues the email. A second login of a new device is as
 * new, without another notification.
 *
 * The email goes only where no other device can show the login, or wrong passwords came first: others may read the
 * mailbox. NOTE: runs before the session is inserted, under the lock of the member.
 */
export async function noticeDevice(tx: Tx, ctx: AppContext, login: DeviceLogin): Promise<Notice> {
  const { memberId, session, digest, joinedAt } = login;
  const now = ctx.clock.now();
  const since = new Date(now.getTime() - SESSION_ROW_MS);
  const known = await rows.readKnown(tx, memberId, { digest, now, since, newSince: newSince(now) });
  const isFirst = !known.hasLoggedIn && joinedAt > since;
  if (known.isKnown || isFirst) return { isNew: known.isStillNew, isNotified: false };
  const { is_off: isOff, emailed_on: emailedOn } = await rows.readDeviceNotices(tx, memberId);
  if (isOff) return { isNew: false, isNotified: false };
  const isDue = emailedOn === null || emailedOn <= utcDay(newSince(now));
  if (isDue && (!known.hasOther || login.afterWrongPasswords)) {
    await rows.saveDeviceNotices(tx, memberId, { emailed_on: utcDay(now) });
    await ctx.jobs.add(tx, "new_device_email", { emailId: randomUUID(), memberId, session });
  }
  return { isNew: known.hasOther, isNotified: known.hasOther };
}
