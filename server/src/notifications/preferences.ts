import type { ParsedOf, ResponseOf } from "@alcove/contract";
import type { getNotifications, saveNotifications } from "@alcove/contract/notifications";
import { findRecipient } from "../accounts/index.ts";
import { lockMember } from "../members/locks.ts";
import { findTimeZone } from "../members/members.sql.ts";
import { nativeServices } from "../integrations/push/push-sender.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import * as rows from "./preferences.sql.ts";
import { formatTimeOfDay, parseTimeOfDay } from "./quiet-hours.ts";

/** Digest emails are off until requested: another person could see an unexpected email. */
export const DEFAULT_PREFERENCES: Omit<rows.Preferences, "member_no"> = {
  has_channel: false,
  push: true,
  digest: false,
  quiet_hours: false,
  quiet_from: parseTimeOfDay("22:00"),
  quiet_to: parseTimeOfDay("07:00"),
  event_count: 0,
  seen_count: 0,
  has_unseen_match: false,
  has_unseen_notice: false,
  push_due_at: null,
  digest_due_at: null,
  digest_sent_at: null,
};

export async function readPreferences(
  ctx: AppContext,
  me: CurrentMember,
): Promise<ResponseOf<typeof getNotifications>> {
  const { push, digest, quiet_hours, quiet_from, quiet_to } =
    (await rows.findPreferences(ctx.db, me.memberId)) ?? DEFAULT_PREFERENCES;
  return {
    push,
    digest,
    quiet_hours,
    quiet_from: formatTimeOfDay(quiet_from),
    quiet_to: formatTimeOfDay(quiet_to),
    time_zone: await findTimeZone(ctx.db, me.memberId),
    has_email: (await findRecipient(ctx, me.memberId)) !== null,
    push_key: ctx.secrets.vapid.publicKey,
    native_push: nativeServices(ctx.config),
  };
}

export async function savePreferences(
  ctx: AppContext,
  me: CurrentMember,
  input: ParsedOf<typeof saveNotifications>,
): Promise<void> {
  const { push, digest, quiet_hours, quiet_from, quiet_to } = input;
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, me.memberId))) throw new ApiError("login_required");
    await rows.insertPreferences(tx, { member_no: me.memberId, ...DEFAULT_PREFERENCES });
    await rows.updatePreferences(tx, me.memberId, {
      push,
      digest,
      quiet_hours,
      quiet_from: parseTimeOfDay(quiet_from),
      quiet_to: parseTimeOfDay(quiet_to),
      ...(!push && { push_due_at: null }),
      ...(!digest && { digest_due_at: null }),
    });
    await rows.updateHasChannel(tx, me.memberId);
  });
}
