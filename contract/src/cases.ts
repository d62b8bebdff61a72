import * as z from "zod/mini";
import { call } from "./call.ts";
import { READ, write } from "./costs.ts";
import { messageKey, text } from "./fields.ts";
import { APPEAL_MAX } from "./limits.ts";
import { EndedMatch } from "./messaging.ts";
import { REPORT_NUMBER, reportReasons } from "./safety.ts";

export const caseKinds = ["report", "notice", "threat", "returned", "operator"] as const;
export type CaseKind = (typeof caseKinds)[number];

/** For operators. A reporter sees `received` for `open`. */
export const caseStates = ["open", "looked_at", "appealed", "decided"] as const;
export type CaseState = (typeof caseStates)[number];

export const caseRules = ["harassment", "spam", "fraud", "underage", "picture", "threat", "other"] as const;
export type CaseRule = (typeof caseRules)[number];

/** From the mildest to the hardest. `freeze` suspends only until a person decides, for `FREEZE_DAYS` at most. */
export const caseDecisions = ["none", "warn", "remove", "limit", "freeze", "suspend", "ban"] as const;
export type CaseDecision = (typeof caseDecisions)[number];

/** What `remove` takes away: the profile's pictures or texts, the images of reported messages, or reported notes (all without one). */
export const removableContents = ["picture", "text", "image", "note"] as const;
export type RemovableContent = (typeof removableContents)[number];

/** A limited member gives no likes so long. */
export const LIMIT_DAYS = { min: 1, max: 30 } as const;
export const SUSPENSION_DAYS_MAX = 3_650;

export const CASE_NUMBER = REPORT_NUMBER;

interface Deciding {
  readonly decision: CaseDecision;
  readonly days?: number | null | undefined;
  readonly content?: RemovableContent | null | undefined;
}

/** A limit has 1 to 30 days, a suspension may have some. A removal names its content. */
export const decisionProblem = ({ decision, days, content }: Deciding): "days" | "content" | null => {
  const hasDays = days != null;
  if (decision === "limit" && (!hasDays || days > LIMIT_DAYS.max)) return "days";
  if (hasDays && decision !== "limit" && decision !== "suspend") return "days";
  return (decision === "remove") === (content != null) ? null : "content";
};

export const decisionChecks = (["days", "content"] as const).map((field) =>
  z.refine<Deciding>((deciding) => decisionProblem(deciding) !== field, {
    path: [field],
    error: messageKey("invalid"),
  }),
);

const OwnCase = z.object({
  number: z.string(),
  rule: z.enum(caseRules),
  /** The rule and the kind of content in the caller's language, never a message, a day or a person. */
  facts: z.string(),
  decision: z.enum(caseDecisions),
  decided_on: z.string(),
  until: z.nullable(z.string()),
  is_reversed: z.boolean(),
  can_appeal: z.boolean(),
  appeal: z.nullable(z.object({ text: z.string(), state: z.enum(["open", "upheld", "reversed"]) })),
});
export type OwnCase = z.infer<typeof OwnCase>;

export const getCase = call({
  name: "getCase",
  summary:
    "Returns the decisions about the caller that operators have announced, newest first. `case` is the first, null without any.",
  method: "GET",
  path: "/users/api/case",
  access: "member",
  forCase: true,
  costs: READ,
  input: z.object({}),
  response: z.object({
    case: z.nullable(OwnCase),
    cases: z.array(OwnCase),
    /** For the request of the password or a passkey. */
    account: z.object({ user_id: z.string(), has_password: z.boolean(), has_passkey: z.boolean() }),
    /** Whom a suspended member may report: those who wrote to them, and ended matches. Empty for others. */
    chats: z.array(z.object({ user_id: z.string(), username: z.string() })),
    ended: z.array(EndedMatch),
  }),
});

export const appealCase = call({
  name: "appealCase",
  summary: "Appeals against the newest decision, once and within six months. A person decides.",
  method: "POST",
  path: "/users/api/case/appeal",
  access: "member",
  forCase: true,
  withoutConsent: true,
  costs: write("appeals", { max: 10, per: "day" }),
  input: z.object({ text: text(APPEAL_MAX) }),
  response: null,
  errors: ["invalid_input", "not_found", "already_appealed", "appeal_closed"],
});

const OwnReport = z.object({
  number: z.string(),
  reason: z.enum(reportReasons),
  state: z.enum(["received", "looked_at", "decided"]),
  outcome: z.nullable(z.enum(["acted", "no_action"])),
  contested: z.boolean(),
  created_on: z.string(),
});
export type OwnReport = z.infer<typeof OwnReport>;

export const getReports = call({
  name: "getReports",
  summary: "Returns the caller's reports, newest first, without the reported members.",
  method: "GET",
  path: "/users/api/reports",
  access: "member",
  costs: READ,
  input: z.object({}),
  response: z.object({ reports: z.array(OwnReport) }),
});

export const contestReport = call({
  name: "contestReport",
  summary: "Contests a decision that did nothing, once. Another person looks at the report again.",
  method: "POST",
  path: "/users/api/reports/contest",
  access: "member",
  costs: write("contests", { max: 10, per: "day" }),
  input: z.object({
    number: z.string().check(z.regex(CASE_NUMBER, messageKey("invalid"))),
    text: text(APPEAL_MAX),
  }),
  response: null,
  errors: ["invalid_input", "not_found", "conflict", "already_contested"],
});

const MemberNotice = z.object({
  id: z.string(),
  text: z.string(),
  created_on: z.string(),
  is_new: z.boolean(),
});
export type MemberNotice = z.infer<typeof MemberNotice>;

export const getNotices = call({
  name: "getNotices",
  summary:
    "Returns notices of the operator to the caller, newest first: that a member to whom they wrote was banned for fraud, or that the ban was taken back.",
  method: "GET",
  path: "/users/api/notices",
  access: "member",
  costs: READ,
  input: z.object({}),
  response: z.object({ notices: z.array(MemberNotice) }),
});

export const readNotices = call({
  name: "readNotices",
  summary: "Marks all notices to the caller as read. Repeated, it changes nothing.",
  method: "POST",
  path: "/users/api/notices/read",
  access: "member",
  costs: write("read_notices"),
  input: z.object({}),
  response: null,
});
