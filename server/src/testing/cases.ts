import { decideCase, type Decision, listCases, readCasePicture } from "../cases/index.ts";
import { applyDecisions } from "../cases/decide.ts";
import { sweepLeft } from "../cases/left-accounts.ts";
import { readFacts } from "../cases/queue.ts";
import { sweepCases } from "../cases/retention.ts";
import { destroyHiddenConversations } from "../messaging/hidden/hidden-conversations.ts";
import { destroyUnsentMessages } from "../messaging/unsent-messages.ts";
import { DAY_MS } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import type { TestService } from "./test-service.ts";

const BY_COMMAND = { operatorId: null, hasColleague: false };
/** Not the operator of the first decision. */
export const BY_OTHER = { operatorId: "0b0e4ad2-6a2b-4f0e-9a39-4c2d7cf1a001", hasColleague: true };
const NO_BREACH: Decision = {
  decision: "none",
  rule: "other",
  reason: "settled",
  days: null,
  content: null,
};

/** The entries of open reports in the order of the queue, without a look. */
export async function readOpenReports(ctx: AppContext) {
  const cases = await listCases(ctx, { limit: 1_000, offset: 0 });
  const facts = await Promise.all(cases.map(async ({ case_no }) => (await readFacts(ctx, case_no))!));
  return facts.flatMap(({ number, accused, entries }) =>
    entries.flatMap(({ id: entryId, report, content, ...entry }) => {
      if (report === null) return [];
      const { on, reason, reporter, detail } = entry;
      const message = content && {
        text: content.text,
        hasImage: content.mediaIds.length > 0,
        sentAt: content.sentAt,
      };
      const reported = accused?.userId ?? null;
      return [{ caseNo: number, report, entryId, on, reason, reported, reporter, detail, message }];
    }),
  );
}

export async function readReportPicture(
  ctx: AppContext,
  { caseNo, entryId }: { caseNo: number; entryId: string },
): Promise<Buffer | null> {
  return readCasePicture(ctx, caseNo, { evidenceId: entryId });
}

/** By the command line; returns false for a closed case. */
export async function decide(
  ctx: AppContext,
  caseNo: number,
  decision: Partial<Decision> = {},
): Promise<boolean> {
  return decideCase(ctx, caseNo, { ...NO_BREACH, ...decision }, { by: BY_COMMAND });
}

/** As the job does. */
export const announceDecisions = (ctx: AppContext): Promise<void> => applyDecisions(ctx);

/** As the job does. */
export const destroyCases = (ctx: AppContext): Promise<void> => sweepCases(ctx);

/** A week and a day pass, after which nothing of deleted members is kept for reports. */
export async function forgetDeletedMembers({
  ctx,
  clock,
}: Pick<TestService, "ctx" | "clock">): Promise<void> {
  clock.advance(8 * DAY_MS);
  await destroyUnsentMessages(ctx);
  await destroyHiddenConversations(ctx);
  await sweepLeft(ctx);
}
