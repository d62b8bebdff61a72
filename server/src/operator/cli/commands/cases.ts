import {
  CASE_NUMBER,
  caseDecisions,
  caseKinds,
  caseRules,
  caseStates,
  decisionProblem,
  removableContents,
  SUSPENSION_DAYS_MAX,
} from "@alcove/contract/cases";
import { logOperatorAction } from "../../../accounts/index.ts";
import { type CaseFacts, type CaseFilter, findCaseNo, listCases } from "../../../cases/index.ts";
import { readRelated } from "../../../notices/index.ts";
import type { AppContext } from "../../../platform/context.ts";
import { utcDay } from "../../../platform/clock.ts";
import { decideAppeal, decideCase, lookAtCase, openCaseAbout, readCasePicture } from "../../cases.ts";
import type { Actor } from "../../members.ts";
import {
  type FieldDescriptions,
  type Fields,
  type Group,
  noArguments,
  OperatorError,
  type Options,
  type Output,
  parseCount,
  parseUuid,
  required,
  singleArgument,
  UsageError,
} from "../command-line.ts";
import { writeNewFile } from "../new-file.ts";

const PER_PAGE = 200;
const MAX_PAGE = 1_000_000;

const LISTED: FieldDescriptions = {
  number: "the case, for the other commands",
  kind: "`report`, `notice`, `threat`, `returned` (an account like a banned one) or `operator`",
  state: "`open`, `looked_at`, `appealed` or `decided`",
  opened_on: "the day",
  due_at: "the deadline, if any",
  reason: "of the reports: the most dangerous one, else the first",
  reports: "number of reports",
  message: "whether a report names a message: `yes` or `no`",
};

const OPENED: FieldDescriptions = {
  number: LISTED["number"]!,
  kind: "`operator`",
  opened_on: "the day",
};

const DETAILS: FieldDescriptions = {
  number: "the case",
  kind: "as in `cases list`",
  opened_on: "the day",
  accused: "the account's user id",
  name: "the name that others saw when the case opened",
  standing: "the account's status: `active`, `suspended` or `deleted`",
  similar_to: "the suspended member whom the account resembles",
  related: "numbers of the cases that a notice opened, or of the notice of such a case",
  entries: "reports and evidence",
  "entries.id": "for `cases picture`",
  "entries.report": "the number that the reporter knows",
  "entries.on": "day of the report",
  "entries.reason": "the chosen reason",
  "entries.reporter": "the reporter's user id; empty after their deletion",
  "entries.detail": "the reporter's text",
  "entries.contest": "why the reporter contests the decision",
  "entries.evidence": "`message`, `profile`, `picture`, `text`, or `chat` with the messages of 30 days",
  "entries.text": "text of the evidence; of a chat with the time of each message",
  "entries.sent_at": "time of the message",
  "entries.pictures": "number of pictures and voice notes",
  decisions: "oldest first",
  "decisions.decision": "`none`, `warn`, `remove`, `limit`, `freeze`, `suspend` or `ban`",
  "decisions.rule": "the rule",
  "decisions.reason": "the operator's reason",
  "decisions.state": "`waiting` until it is announced, `announced`, `over` or `reversed`",
  "decisions.effective_at": "when it is announced and takes effect",
  "decisions.until": "its end, if any",
  "decisions.appeal": "text of the appeal",
  "decisions.appeal_state": "`open`, `upheld` or `reversed`",
};

type CaseContent = NonNullable<CaseFacts["entries"][number]["content"]>;

const byCommand = (reason: string | null): Actor => ({ operatorId: null, reason });

async function list(
  ctx: AppContext,
  { page, ...filter }: Partial<CaseFilter> & { page: number },
  reason: string | null,
): Promise<Fields[]> {
  await logOperatorAction(ctx, "cases list", null, reason);
  const found = await listCases(ctx, { limit: PER_PAGE, offset: (page - 1) * PER_PAGE }, filter);
  return found.map((one) => ({
    number: String(one.case_no),
    kind: one.kind,
    state: one.state,
    opened_on: one.opened_on,
    due_at: one.due_at?.toISOString() ?? null,
    reason: one.reason,
    reports: String(one.reports),
    message: one.has_message ? "yes" : "no",
  }));
}

const missing = (number: number): string => `There is no case ${number}.`;

async function show(ctx: AppContext, number: number, reason: string | null): Promise<Output> {
  const found = required(await lookAtCase(ctx, byCommand(reason), number), missing(number));
  return describe(found, await readRelated(ctx.db, found.number));
}

function describe(
  { number, kind, openedOn, accused, similarTo, entries, decisions }: CaseFacts,
  related: readonly number[],
): Output {
  return {
    number: String(number),
    kind,
    opened_on: openedOn,
    accused: accused?.userId ?? null,
    name: accused?.name ?? null,
    standing: accused?.standing ?? null,
    similar_to: similarTo,
    related: related.length === 0 ? null : related.join(" "),
    entries: entries.map(({ id, report, on, reason, reporter, detail, contest, content }) => ({
      id,
      report: report === null ? null : String(report),
      on,
      reason,
      reporter,
      detail,
      contest,
      evidence: content?.kind ?? null,
      text: content && textOf(content),
      sent_at: content?.sentAt ?? null,
      pictures: String(content?.mediaIds.length ?? 0),
    })),
    decisions: decisions.map((one) => ({
      decision: one.decision,
      rule: one.rule,
      reason: one.reason,
      state: one.state,
      effective_at: one.effective_at.toISOString(),
      until: one.ends_at?.toISOString() ?? null,
      appeal: one.appeal,
      appeal_state: one.appeal_state,
    })),
  };
}

function textOf({ text, voice, lines }: CaseContent): string | null {
  return (
    lines?.map((line) => `${line.sentAt} ${wordsOf(line) ?? "(picture)"}`).join("\n") ??
    wordsOf({ text, voice })
  );
}

function wordsOf({ text, voice }: Pick<CaseContent, "text" | "voice">): string | null {
  return voice ? [text, "(voice note)", voice.text].filter((each) => each !== null).join(" ") : text;
}

async function open(ctx: AppContext, userId: string, reason: string | null): Promise<Fields> {
  const opened = await openCaseAbout(ctx, byCommand(reason), userId);
  const number = String(required(opened, `There is no member ${JSON.stringify(userId)}.`));
  return { number, kind: "operator", opened_on: utcDay(ctx.clock.now()) };
}

async function savePicture(
  ctx: AppContext,
  { number, entry, place, to }: { number: number; entry: string | null; place: number; to: string },
  reason: string | null,
): Promise<Record<"number" | "path", string>> {
  const caseNo = required(await findCaseNo(ctx, number), missing(number));
  const file = required(
    await readCasePicture(ctx, byCommand(reason), caseNo, { evidenceId: entry, place }),
    `Case ${number} has no such picture.`,
  );
  await writeNewFile(to, file);
  return { number: String(caseNo), path: to };
}

function parseNumber(words: readonly string[]): number {
  const word = singleArgument(words, USAGE);
  if (!CASE_NUMBER.test(word)) throw new UsageError(USAGE);
  return Number(word);
}

function parseChoice<Choice extends string>(
  option: string,
  choices: readonly Choice[],
  value?: string,
): Choice {
  const found = choices.find((one) => one === value);
  if (found === undefined) throw new UsageError(`--${option} must be one of ${choices.join(", ")}.`);
  return found;
}

function parseDecision(values: Options) {
  const days = parseCount("days", values["days"], SUSPENSION_DAYS_MAX);
  const { content } = values;
  const decision = {
    decision: parseChoice("decision", caseDecisions, values["decision"]),
    rule: parseChoice("rule", caseRules, values["rule"]),
    days: days === 0 ? null : days,
    content: content === undefined ? null : parseChoice("content", removableContents, content),
  };
  const problem = decisionProblem(decision);
  if (problem === "days")
    throw new UsageError("limit needs --days from 1 to 30; only suspend may have them too.");
  if (problem === "content") throw new UsageError("remove needs --content, and no other decision takes it.");
  return decision;
}

const USAGE = "The number of a case has twelve digits.";
const REASON = "The decision needs --reason.";

export const cases: Group = {
  list: {
    usage: "[--state STATE] [--kind KIND] [--rule RULE] [--page NUMBER]",
    summary: "waiting cases, those about danger first, then the oldest; 200 a page",
    options: {
      page: "a further page",
      state: `${caseStates.join(", ")}; without it all but decided ones`,
      kind: caseKinds.join(", "),
      rule: caseRules.join(", "),
    },
    fields: LISTED,
    parse: (words, values) => {
      noArguments(words, "cases list takes only options.");
      const { state, kind, rule } = values;
      const wanted = {
        page: Math.max(1, parseCount("page", values["page"], MAX_PAGE)),
        state: state === undefined ? null : parseChoice("state", caseStates, state),
        kind: kind === undefined ? null : parseChoice("kind", caseKinds, kind),
        rule: rule === undefined ? null : parseChoice("rule", caseRules, rule),
      };
      return (ctx, reason) => list(ctx, wanted, reason);
    },
  },
  show: {
    usage: "NUMBER",
    summary: "a case with its evidence, also by the number of a report; later reports open another one",
    hasLongValues: true,
    fields: DETAILS,
    parse: (words) => {
      const number = parseNumber(words);
      return (ctx, reason) => show(ctx, number, reason);
    },
  },
  open: {
    usage: "USER_ID",
    summary: "opens a case about a member",
    fields: OPENED,
    parse: (words) => {
      const userId = singleArgument(words, "cases open takes one USER_ID.");
      return async (ctx, reason) => open(ctx, userId, reason);
    },
  },
  picture: {
    usage: "NUMBER [--entry ID] [--place N] --to FILE",
    summary:
      "writes a picture (JPEG) or a voice note (WAV) of the case to a new file: its first one, or one of an entry",
    options: { to: "a new file", entry: "of `cases show`", place: "of several pictures: 0, 1, …" },
    fields: { number: "the case", path: "the new file, readable by its owner only" },
    parse: (words, { to, entry, place }) => {
      const number = parseNumber(words);
      if (!to) throw new UsageError("cases picture needs --to FILE.");
      const wanted = {
        number,
        entry: entry === undefined ? null : parseUuid(entry, "--entry must be an id of `cases show`."),
        place: parseCount("place", place, 199),
        to,
      };
      return (ctx, reason) => savePicture(ctx, wanted, reason);
    },
  },
  decide: {
    usage: "NUMBER --decision DECISION --rule RULE --reason TEXT [--days N] [--content CONTENT]",
    summary:
      "announced and in effect at 09:00 of the member, or at the next full hour where others are in danger",
    options: {
      decision: `${caseDecisions.join(", ")}; of an appeal: uphold, reverse`,
      rule: caseRules.join(", "),
      days: "of limit (1 to 30) or suspend",
      content: `of remove: ${removableContents.join(", ")}`,
    },
    hasLongValues: true,
    fields: DETAILS,
    parse: (words, values) => {
      const number = parseNumber(words);
      const decision = parseDecision(values);
      return async (ctx, reason) => {
        if (!reason) throw new OperatorError(REASON);
        const caseNo = required(await findCaseNo(ctx, number), missing(number));
        if (!(await decideCase(ctx, byCommand(reason), caseNo, decision)))
          throw new OperatorError(`Case ${number} is decided.`);
        return show(ctx, caseNo, reason);
      };
    },
  },
  appeal: {
    usage: "NUMBER --decision uphold|reverse --reason TEXT",
    summary: "decides the appeal; another operator than before, where there are two",
    options: { decision: `${caseDecisions.join(", ")}; of an appeal: uphold, reverse` },
    hasLongValues: true,
    fields: DETAILS,
    parse: (words, values) => {
      const number = parseNumber(words);
      const outcome = parseChoice("decision", ["uphold", "reverse"] as const, values["decision"]);
      return async (ctx, reason) => {
        const caseNo = required(await findCaseNo(ctx, number), missing(number));
        if (!(await decideAppeal(ctx, byCommand(reason), caseNo, outcome)))
          throw new OperatorError(`Case ${number} has no open appeal.`);
        return show(ctx, caseNo, reason);
      };
    },
  },
};
