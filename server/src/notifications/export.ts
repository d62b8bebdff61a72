import type { CurrentMember } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { findTimeZone } from "../members/members.sql.ts";
import { findPreferences } from "./preferences.sql.ts";
import { formatTimeOfDay } from "./quiet-hours.ts";
import { readSubscriptions } from "./subscriptions.sql.ts";

export async function exportNotifications(tx: Tx, me: CurrentMember): Promise<ExportPart> {
  const preferences = await findPreferences(tx, me.memberId);
  const devices = await readSubscriptions(tx, me.memberId);
  if (!preferences) return {};
  const { push, digest, quiet_hours, quiet_from, quiet_to, digest_sent_at, push_asked, look_state } =
    preferences;
  return {
    values: {
      notifications: {
        push,
        digest,
        quiet_hours,
        push_asked,
        somebody_new: look_state !== null,
        quiet_from: formatTimeOfDay(quiet_from),
        quiet_to: formatTimeOfDay(quiet_to),
        time_zone: await findTimeZone(tx, me.memberId),
        last_letter_at: digest_sent_at,
        devices: devices.map(({ created_at, language }) => ({ since: created_at, language })),
      },
    },
  };
}
