import type { AppContext } from "../../platform/context.ts";
import { readOpenReports, type Report, resolveReport } from "../../reports/index.ts";
import { logOperatorAction } from "../../accounts/index.ts";
import {
  type Group,
  type FieldDescriptions,
  noArguments,
  singleArgument,
  required,
  parseUuid,
} from "../command-line.ts";

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

const REPORT: FieldDescriptions = {
  id: "the id for `reports resolve`",
  at: "time of the report",
  reason: "the chosen reason",
  reported: "the reported member's user id",
  standing: "the reported member's status: `active` or `suspended`",
  reporter: "the reporter's user id; empty after their deletion",
  detail: "the reporter's text",
  message: "the reported message",
  message_picture: "whether the message has a picture: `yes` or `no`",
  message_at: "time of the message",
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

async function list(ctx: AppContext, reason: string | null): Promise<ReportFacts[]> {
  await logOperatorAction(ctx, "reports list", { userId: "-" }, reason);
  return (await readOpenReports(ctx)).map(describe);
}

async function resolve(ctx: AppContext, id: string, reason: string | null): Promise<ReportFacts> {
  await logOperatorAction(ctx, `reports resolve ${id.toLowerCase()}`, { userId: "-" }, reason);
  return describe(required(await resolveReport(ctx, id), `There is no report ${id}.`));
}

const USAGE = "reports list takes no arguments; reports resolve takes the ID of a report.";

export const reports: Group = {
  list: {
    usage: "",
    summary: "open reports with their texts, oldest first",
    hasLongValues: true,
    fields: REPORT,
    parse: (words) => {
      noArguments(words, USAGE);
      return list;
    },
  },
  resolve: {
    usage: "ID",
    summary: "closes a report; it is deleted after 180 days",
    fields: REPORT,
    parse: (words) => {
      const id = parseUuid(singleArgument(words, USAGE), USAGE);
      return (ctx, reason) => resolve(ctx, id, reason);
    },
  },
};
