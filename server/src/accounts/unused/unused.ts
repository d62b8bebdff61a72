import { randomUUID } from "node:crypto";
import { addMonths } from "@alcove/contract/calendar";
import { DAY_MS, utcDay } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import { deleteMember } from "../deletion.ts";
import { type FindLocalTime, sendMemberEmail, shownDay } from "../emails/emails.ts";
import type { UnusedEmailJob } from "../events.ts";
import { findUnused, takeWarning, type Unused } from "../../members/unused.sql.ts";

/** With 24 months: after 22, 23 and 23.5. */
const WARNINGS = [
  (usedOn: string, months: number) => monthsAfter(usedOn, months - 2),
  (usedOn: string, months: number) => monthsAfter(usedOn, months - 1),
  (usedOn: string, months: number) => addDays(monthsAfter(usedOn, months), -15),
] as const;
/** Between two steps, also after a time without jobs. */
const STEP_DAYS = 14;
const BATCH_SIZE = 200;

export async function handleUnusedAccounts(ctx: AppContext, findLocalTime: FindLocalTime): Promise<void> {
  const { unusedMonths } = ctx.config;
  if (unusedMonths === 0) return;
  const today = utcDay(ctx.clock.now());
  // Months have different lengths: `takeStep` has the exact days.
  const unusedSince = addDays(monthsAfter(today, 2 - unusedMonths), 3);
  const before = { visited: unusedSince, warned: addDays(today, -STEP_DAYS) };
  for (let after = 0, isFull = true; isFull;) {
    const found = await findUnused(ctx.db, before, { after, limit: BATCH_SIZE });
    for (const unused of found) await takeStep(ctx, unused, today, findLocalTime);
    isFull = found.length === BATCH_SIZE;
    after = found.at(-1)?.member_no ?? after;
  }
}

async function takeStep(
  ctx: AppContext,
  unused: Unused,
  today: string,
  findLocalTime: FindLocalTime,
): Promise<void> {
  const { member_no: memberId, used_on: usedOn, warnings } = unused;
  const { unusedMonths } = ctx.config;
  const planned = monthsAfter(usedOn, unusedMonths);
  const warning = WARNINGS[warnings];
  if (!warning) {
    if (today >= planned) await deleteMember(ctx, memberId);
    return;
  }
  if (today < warning(usedOn, unusedMonths)) return;
  const earliest = addDays(today, (WARNINGS.length - warnings) * STEP_DAYS);
  const deletedOn = planned > earliest ? planned : earliest;
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await takeWarning(tx, unused, today))) return;
    const { quietUntil } = await findLocalTime(tx, memberId, ctx.clock.now());
    const job = { emailId: randomUUID(), memberId, deletedOn };
    await ctx.jobs.add(tx, "unused_email", job, quietUntil ? { runAt: quietUntil } : {});
  });
}

export async function sendUnusedEmail(ctx: AppContext, job: UnusedEmailJob): Promise<void> {
  await sendMemberEmail(ctx, job, (t) => [
    t("unused"),
    t("unusedDeleted", { day: shownDay(job.deletedOn) }),
    t("unusedKeep"),
  ]);
}

function addDays(day: string, days: number): string {
  return utcDay(new Date(Date.parse(day) + days * DAY_MS));
}

function monthsAfter(day: string, months: number): string {
  return utcDay(addMonths(new Date(day), months, "UTC"));
}
