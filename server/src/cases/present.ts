import type { ResponseOf } from "@alcove/contract";
import type { getCase, OwnCase } from "@alcove/contract/cases";
import type { Language } from "@alcove/i18n";
import { readEnded } from "../discovery/index.ts";
import { readWriters } from "../messaging/index.ts";
import { loadPeople } from "../profiles/index.ts";
import { utcDay } from "../platform/clock.ts";
import type { AppContext, CurrentMember } from "../platform/context.ts";
import { translator } from "../platform/i18n.ts";
import { canAppeal, decryptAppeal, readAnnounced } from "./appeals.ts";
import { type CaseRow, readCasesAbout } from "./cases.sql.ts";
import type { DecisionRow } from "./decisions.sql.ts";
import { decryptContent } from "./evidence.ts";
import { readEvidence } from "./evidence.sql.ts";

/** Whom a suspended member may report: their matches who wrote to them, and matches that the other side ended. */
export async function listReportable(
  ctx: AppContext,
  { memberId }: CurrentMember,
): Promise<Pick<ResponseOf<typeof getCase>, "chats" | "ended">> {
  const ended = await readEnded(ctx.db, memberId, utcDay(ctx.clock.now()));
  const people = await loadPeople(ctx, await readWriters(ctx, memberId));
  return {
    chats: [...people.values()].map(({ userId, username }) => ({ user_id: userId, username })),
    ended: ended.map(({ ended_id: id, matched_on, ended_on, goodbye }) => ({
      id,
      matched_on,
      ended_on,
      goodbye,
    })),
  };
}

/** Newest first. */
export async function presentOwnCases(
  ctx: AppContext,
  { memberId }: CurrentMember,
  language: Language,
): Promise<OwnCase[]> {
  const cases = new Map((await readCasesAbout(ctx.db, memberId)).map((row) => [row.case_no, row]));
  const decisions = await readAnnounced(ctx, memberId);
  return Promise.all(
    decisions.map(async (decision) => presentDecision(ctx, decision, cases.get(decision.case_no)!, language)),
  );
}

async function presentDecision(
  ctx: AppContext,
  row: DecisionRow,
  found: CaseRow,
  language: Language,
): Promise<OwnCase> {
  const appeal = await decryptAppeal(ctx, row);
  return {
    number: String(row.case_no),
    rule: row.rule,
    facts: await describeFacts(ctx, row, language),
    decision: row.decision,
    decided_on: utcDay(row.effective_at),
    until: row.ends_at?.toISOString() ?? null,
    is_reversed: row.state === "reversed",
    can_appeal: canAppeal(ctx, found, row),
    appeal: appeal !== null && row.appeal_state !== null ? { text: appeal, state: row.appeal_state } : null,
  };
}

/** Names the rule and the kind of content, never a message, a day or a person. */
async function describeFacts(ctx: AppContext, row: DecisionRow, language: Language): Promise<string> {
  const t = translator(language, "caseFacts");
  const contents = (await readEvidence(ctx.db, [row.case_no])).filter(({ report_no }) => report_no !== null);
  const kinds = await Promise.all(contents.map((evidence) => decryptContent(ctx, evidence)));
  const isAboutMessages = kinds.some((content) => content?.kind === "message" || content?.kind === "chat");
  const isAboutNotes = kinds.some((content) => content?.kind === "note");
  const about = row.content ?? (isAboutMessages ? "message" : isAboutNotes ? "note" : "account");
  const space = language === "en" ? " " : "";
  return `${t(`rule_${row.rule}`)}${space}${t(`about_${about}`)}`;
}
