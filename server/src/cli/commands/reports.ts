import type { AppContext } from "../../platform/context.ts";
import { readOpenReports, type Report, resolveReport } from "../../reports/index.ts";
import { logOperatorAction } from "../../accounts/index.ts";
import { type Group, type Meanings, noWords, oneWord, OperatorProblem, uuid } from "../command-line.ts";

type ReportFacts = Record<
  | "id"
  | "at"
  | "reason"
  | "reported"
  | "standing"
  | "reporter"
  | "detail"
  | "message"
  | "message_picture"
  | "message_at",
  string | null
>;

const REPORT: Meanings = {
  id: "what `reports resolve` takes",
  at: "when it was made",
  reason: "which of the reasons was chosen",
  reported: "the user id of who was reported",
  standing: "`active` or `suspended`: the reported member now",
  reporter: "the user id of who reported; nothing once that member has left",
  detail: "what the reporter wrote",
  message: "the text of the message that was reported",
  message_picture: "whether a picture was with it: `yes` or `no`",
  message_at: "when that message was sent",
};

function describe({ message, ...report }: Report): ReportFacts {
  return {
    id: report.id,
    at: report.at.toISOString(),
    reason: report.reason,
    reported: report.reported,
    standing: report.accountStatus,
    reporter: report.reporter,
    detail: report.detail,
    message: message?.text ?? null,
    message_picture: message && (message.hasImage ? "yes" : "no"),
    message_at: message?.sentAt ?? null,
  };
}

/** The open reports, the oldest first, with what was written. That they were read is in the operator's log. */
async function list(ctx: AppContext, reason: string | null): Promise<ReportFacts[]> {
  await logOperatorAction(ctx, "reports list", { userId: "-" }, reason);
  return (await readOpenReports(ctx)).map(describe);
}

async function resolve(ctx: AppContext, id: string, reason: string | null): Promise<ReportFacts> {
  await logOperatorAction(ctx, `reports resolve ${id.toLowerCase()}`, { userId: "-" }, reason);
  const resolved = await resolveReport(ctx, id);
  if (!resolved) throw new OperatorProblem(`There is no report ${id}.`);
  return describe(resolved);
}

const USAGE = "reports list takes nothing, and reports resolve the ID of a report.";

export const reports: Group = {
  list: {
    takes: "",
    says: "what is open, the oldest first, with its words",
    isWordy: true,
    tells: REPORT,
    read: (words) => {
      noWords(words, USAGE);
      return list;
    },
  },
  resolve: {
    takes: "ID",
    says: "no longer open; forgotten after 180 days",
    tells: REPORT,
    read: (words) => {
      const id = uuid(oneWord(words, USAGE), USAGE);
      return (ctx, reason) => resolve(ctx, id, reason);
    },
  },
};
