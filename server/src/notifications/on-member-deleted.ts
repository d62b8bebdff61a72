import type { Tx } from "../platform/db/database.ts";
import type { CurrentMember } from "../platform/context.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { takeNews } from "./outbox.sql.ts";
import { deleteNotice, readNotice } from "./preferences.sql.ts";
import { timeOf } from "./quiet-hours.ts";
import { forgetDevicesOf } from "./subscriptions.ts";
import { subscriptionsOf } from "./subscriptions.sql.ts";

/** What a member has chosen, and since when which of its devices are told. */
export async function exportNotifications(tx: Tx, me: CurrentMember): Promise<ExportPart> {
  const notice = await readNotice(tx, me.memberId);
  const devices = await subscriptionsOf(tx, me.memberId);
  if (!notice) return {};
  const { push, digest, quiet_hours, quiet_from, quiet_to, time_zone, lettered_at } = notice;
  return {
    values: {
      notifications: {
        push,
        digest,
        quiet_hours,
        quiet_from: timeOf(quiet_from),
        quiet_to: timeOf(quiet_to),
        time_zone,
        last_letter_at: lettered_at,
        devices: devices.map(({ created_at, language }) => ({ since: created_at, language })),
      },
    },
  };
}

/** Removes all that is kept of a member who is being deleted. */
export async function forgetNotifications(tx: Tx, memberId: number): Promise<void> {
  await deleteNotice(tx, memberId);
  await forgetDevicesOf(tx, memberId);
  await takeNews(tx, memberId);
}
