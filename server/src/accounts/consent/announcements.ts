import { randomUUID } from "node:crypto";
import { documents, versionsAfter } from "../../members/legal-versions.ts";
import { DAY_MS, utcDay } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import { type FindLocalTime, sendMemberEmail, shownDay } from "../emails/emails.ts";
import type { NewTermsEmailJob } from "../events.ts";
import { findUnannounced, takeAnnouncement } from "../../members/version-announcements.sql.ts";

const DAYS_BEFORE = 14;
const BATCH_SIZE = 500;

export async function announceVersions(ctx: AppContext, findLocalTime: FindLocalTime): Promise<void> {
  for (const version of upcomingVersions(ctx)) {
    for (let after = 0, isFull = true; isFull;) {
      const found = await findUnannounced(ctx.db, version, { after, limit: BATCH_SIZE });
      for (const memberId of found) await announce(ctx, memberId, version, findLocalTime);
      isFull = found.length === BATCH_SIZE;
      after = found.at(-1) ?? after;
    }
  }
}

function upcomingVersions({ config, clock }: AppContext): string[] {
  const now = clock.now();
  const [today, last] = [utcDay(now), utcDay(new Date(now.getTime() + DAYS_BEFORE * DAY_MS))];
  const all = documents.flatMap((document) => config.legalVersions[document].map(({ version }) => version));
  return [...new Set(all)].filter((version) => version > today && version <= last).toSorted();
}

async function announce(
  ctx: AppContext,
  memberId: number,
  version: string,
  findLocalTime: FindLocalTime,
): Promise<void> {
  await ctx.db.transaction().execute(async (tx) => {
    const agreed = await takeAnnouncement(tx, memberId, version);
    const isDue = (document: (typeof documents)[number]) =>
      versionsAfter(ctx.config.legalVersions[document], agreed![document]).includes(version);
    if (!agreed || !documents.some(isDue)) return;
    const { quietUntil } = await findLocalTime(tx, memberId, ctx.clock.now());
    const job = { emailId: randomUUID(), memberId, from: version };
    await ctx.jobs.add(tx, "new_terms_email", job, quietUntil ? { runAt: quietUntil } : {});
  });
}

export async function sendNewTermsEmail(ctx: AppContext, job: NewTermsEmailJob): Promise<void> {
  await sendMemberEmail(
    ctx,
    job,
    (t) => [t("newTerms", { day: shownDay(job.from) }), t("newTermsNext"), t("newTermsChoice")],
    { onlyIfActive: true },
  );
}
