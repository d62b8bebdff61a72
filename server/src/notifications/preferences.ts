import type { ParsedOf, ResponseOf } from "@alcove/contract";
import type { getNotifications, saveNotifications } from "@alcove/contract/notifications";
import { findRecipient } from "../accounts/index.ts";
import { lockMember } from "../members/locks.ts";
import { findTimeZone } from "../members/members.sql.ts";
import { nativeServices } from "../integrations/push/push-sender.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { ceilTo, HOUR_MS } from "../platform/clock.ts";
import { ApiError, validationError } from "../platform/errors.ts";
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
  push_asked: false,
  look_state: null,
  look_at: null,
};

export async function readPreferences(
  ctx: AppContext,
  me: CurrentMember,
): Promise<ResponseOf<typeof getNotifications>> {
  const { push, digest, quiet_hours, quiet_from, quiet_to, push_asked, look_state } =
    (await rows.findPreferences(ctx.db, me.memberId)) ?? DEFAULT_PREFERENCES;
  return {
    push,
    digest,
    push_asked,
    somebody_new: look_state !== null,
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
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, me.memberId))) throw new ApiError("login_required");
    await rows.insertPreferences(tx, { member_no: me.memberId, ...DEFAULT_PREFERENCES });
    const old = (await rows.lockPreferences(tx, me.memberId))!;
    const { push = old.push, digest = old.digest, quiet_hours = old.quiet_hours } = input;
    const quiet_from = input.quiet_from === undefined ? old.quiet_from : parseTimeOfDay(input.quiet_from);
    const quiet_to = input.quiet_to === undefined ? old.quiet_to : parseTimeOfDay(input.quiet_to);
    if (quiet_hours && quiet_from === quiet_to) throw validationError({ quiet_to: "times_equal" });
    await rows.updatePreferences(tx, me.memberId, {
      push,
      digest,
      quiet_hours,
      quiet_from,
      quiet_to,
      push_asked: input.push_asked ?? old.push_asked,
      ...(!push && { push_due_at: null }),
      ...(!digest && { digest_due_at: null }),
      ...lookChange(old, input.somebody_new, ctx.clock.now()),
    });
    await rows.updateHasChannel(tx, me.memberId);
  });
}

/** Off and on again brings no look forward. */
function lookChange(
  { look_state, look_at }: rows.Preferences,
  isOn: boolean | undefined,
  now: Date,
): Partial<Pick<rows.Preferences, "look_state" | "look_at">> {
  if (isOn === undefined || isOn === (look_state !== null)) return {};
  if (!isOn) return { look_state: null };
  return { look_state: "watching", look_at: look_at && look_at > now ? look_at : ceilTo(now, HOUR_MS) };
}
