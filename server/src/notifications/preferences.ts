import type { ResponseOf, ParsedOf } from "@alcove/contract";
import type { getNotifications, saveNotifications } from "@alcove/contract/notifications";
import { shareLockMember, findRecipient } from "../accounts/index.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import * as rows from "./preferences.sql.ts";
import { minutesOf, timeOf } from "./quiet-hours.ts";

/**
 * What holds for a member who has never chosen. A device is told once it was subscribed, which is a choice by itself;
 * letters come only to who asks for them: one that nobody expects can tell somebody else.
 */
export const DEFAULTS: Omit<rows.Notice, "member_no"> = {
  listens: false,
  push: true,
  digest: false,
  quiet_hours: false,
  quiet_from: minutesOf("22:00"),
  quiet_to: minutesOf("07:00"),
  time_zone: null,
  heard: 0,
  seen: 0,
  with_match: false,
  push_due_at: null,
  pushed_at: null,
  letter_due_at: null,
  lettered_at: null,
};

/** What a member has chosen to be told, and the key with which its browser subscribes. */
export async function readChoices(
  ctx: AppContext,
  me: CurrentMember,
): Promise<ResponseOf<typeof getNotifications>> {
  const { push, digest, quiet_hours, quiet_from, quiet_to, time_zone } =
    (await rows.readNotice(ctx.db, me.memberId)) ?? DEFAULTS;
  return {
    push,
    digest,
    quiet_hours,
    quiet_from: timeOf(quiet_from),
    quiet_to: timeOf(quiet_to),
    time_zone,
    has_email: (await findRecipient(ctx, me.memberId)) !== null,
    push_key: ctx.secrets.vapid.publicKey,
  };
}

export async function saveChoices(
  ctx: AppContext,
  me: CurrentMember,
  form: ParsedOf<typeof saveNotifications>,
): Promise<void> {
  const { push, digest, quiet_hours, quiet_from, quiet_to, time_zone } = form;
  const chosen = {
    push,
    digest,
    quiet_hours,
    quiet_from: minutesOf(quiet_from),
    quiet_to: minutesOf(quiet_to),
    time_zone,
  };
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await shareLockMember(tx, me.memberId))) throw new ApiError("login_required");
    await rows.insertNotice(tx, { member_no: me.memberId, ...DEFAULTS });
    await rows.updateNotice(tx, me.memberId, {
      ...chosen,
      ...(!push && { push_due_at: null }),
      ...(!digest && { letter_due_at: null }),
    });
    await rows.updateListens(tx, me.memberId);
  });
}
