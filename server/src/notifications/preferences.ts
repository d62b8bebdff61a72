import type { AnswerOf, ParsedOf } from "@alcove/contract";
import type { getNotifications, saveNotifications } from "@alcove/contract/notifications";
import { holdMember, mailingOf } from "../accounts/index.ts";
import type { Deps, Me } from "../platform/context.ts";
import { refuse } from "../platform/errors.ts";
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
export async function readChoices(deps: Deps, me: Me): Promise<AnswerOf<typeof getNotifications>> {
  const { push, digest, quiet_hours, quiet_from, quiet_to, time_zone } =
    (await rows.readNotice(deps.db, me.no)) ?? DEFAULTS;
  return {
    push,
    digest,
    quiet_hours,
    quiet_from: timeOf(quiet_from),
    quiet_to: timeOf(quiet_to),
    time_zone,
    has_email: (await mailingOf(deps, me.no)) !== null,
    push_key: deps.secrets.vapid.publicKey,
  };
}

export async function saveChoices(
  deps: Deps,
  me: Me,
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
  await deps.db.transaction().execute(async (tx) => {
    if (!(await holdMember(tx, me.no))) throw refuse("login_required");
    await rows.insertNotice(tx, { member_no: me.no, ...DEFAULTS });
    await rows.updateNotice(tx, me.no, {
      ...chosen,
      ...(!push && { push_due_at: null }),
      ...(!digest && { letter_due_at: null }),
    });
    await rows.updateListens(tx, me.no);
  });
}
