import { randomUUID } from "node:crypto";
import { sendMemberEmail } from "../../accounts/index.ts";
import { ceilTo, HOUR_MS } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import { translator } from "../../platform/i18n.ts";
import type { ExpiryReminderJob } from "../events.ts";
import { paidUntil } from "../memberships.ts";
import * as rows from "../memberships.sql.ts";
import { type FindLocalTime, momentIn } from "./moment.ts";

const BATCH_SIZE = 200;

export async function queueDueReminders(ctx: AppContext, findLocalTime: FindLocalTime): Promise<void> {
  for (;;) {
    const due = await rows.findDueReminders(ctx.db, ctx.clock.now(), BATCH_SIZE);
    for (const memberId of due) await queueReminder(ctx, memberId, findLocalTime);
    if (due.length < BATCH_SIZE) return;
  }
}

/** Takes the reminder and queues the email in one transaction, for after the quiet hours. */
async function queueReminder(ctx: AppContext, memberId: number, findLocalTime: FindLocalTime): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const now = ctx.clock.now();
    const until = await rows.takeReminder(tx, memberId, now);
    if (!until || until <= now) return;
    const { quietUntil } = await findLocalTime(tx, memberId, now);
    if (quietUntil) return rows.postponeReminder(tx, memberId, ceilTo(quietUntil, HOUR_MS));
    const emailId = randomUUID();
    await ctx.jobs.add(tx, "expiry_reminder_email", { emailId, memberId, until: until.toISOString() });
  });
}

export async function sendExpiryReminder(
  ctx: AppContext,
  job: ExpiryReminderJob,
  findLocalTime: FindLocalTime,
): Promise<void> {
  const { memberId } = job;
  const now = ctx.clock.now();
  const until = await paidUntil(ctx, memberId);
  if (!until || until <= now || ceilTo(until, HOUR_MS).toISOString() !== job.until) return;
  const { timeZone } = await findLocalTime(ctx.db, memberId, now);
  const at = momentIn(timeZone, until);
  await sendMemberEmail(
    ctx,
    job,
    (t, language) => [
      t("expires", { at }),
      t("expiresNext", { name: translator(language, "settings")("userStatus") }),
    ],
    { onlyIfActive: true },
  );
}
