import { writeFile } from "node:fs/promises";
import type { AppContext } from "../../../platform/context.ts";
import { readOpenReports, readReportPicture, type Report, resolveReport } from "../../../reports/index.ts";
import { logOperatorAction } from "../../../accounts/index.ts";
import {
  type Group,
  type FieldDescriptions,
  noArguments,
  singleArgument,
  OperatorError,
  required,
  parseCount,
  parseUuid,
  UsageError,
} from "../command-line.ts";

type ReportFacts = Record<
  | "id"
  | "entry"
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
  id: "the report, for `reports resolve`; it may have several rows",
  entry: "a text and a message of the report, for `reports picture`",
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
    entry: report.entryId,
    at: report.at.toISOString(),
    reason: report.reason,
    reported: report.reported,
    standing: report.isSuspended ? "suspended" : "active",
    reporter: report.reporter,
    detail: report.detail,
    message: message?.text ?? null,
    message_picture: message && (message.hasImage ? "yes" : "no"),
    message_at: message?.sentAt ?? null,
  };
}

async function list(ctx: AppContext, page: number, reason: string | null): Promise<ReportFacts[]> {
  await logOperatorAction(ctx, "reports list", null, reason);
  return (await readOpenReports(ctx, page)).map(describe);
}

async function resolve(ctx: AppContext, id: string, reason: string | null): Promise<ReportFacts> {
  await logOperatorAction(ctx, `reports resolve ${id.toLowerCase()}`, null, reason);
  return describe(required(await resolveReport(ctx, id), `There is no report ${id}.`));
}

/** Never replaces a file. */
async function savePicture(
  ctx: AppContext,
  { id, to }: { id: string; to: string },
  reason: string | null,
): Promise<Record<"id" | "path", string>> {
  await logOperatorAction(ctx, `reports picture ${id}`, null, reason);
  const jpeg = required(await readReportPicture(ctx, id), `There is no entry ${id} with a picture.`);
  await writeFile(to, jpeg, { flag: "wx", mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(
      error.code === "EEXIST" ? `${to} already exists.` : `${to} cannot be written: ${error.message}`,
    );
  });
  return { id, path: to };
}

const USAGE =
  "reports list takes only --page NUMBER, reports resolve the ID of a report, reports picture ENTRY --to FILE.";
const MAX_PAGE = 1_000_000;

export const reports: Group = {
  list: {
    usage: "[--page NUMBER]",
    summary: "open reports with their texts by reported member, underage first, then oldest; 200 rows a page",
    options: { page: "a further page" },
    hasLongValues: true,
    fields: REPORT,
    parse: (words, { page }) => {
      noArguments(words, USAGE);
      const wanted = Math.max(1, parseCount("page", page, MAX_PAGE));
      return (ctx, reason) => list(ctx, wanted, reason);
    },
  },
  picture: {
    usage: "ENTRY --to FILE",
    summary: "writes the picture of a reported message (JPEG) to a new file",
    options: { to: "a new file" },
    fields: { id: "the entry", path: "the new file, readable by its owner only" },
    parse: (words, { to }) => {
      const id = parseUuid(singleArgument(words, USAGE), USAGE);
      if (!to) throw new UsageError(USAGE);
      return (ctx, reason) => savePicture(ctx, { id, to }, reason);
    },
  },
  resolve: {
    usage: "ID",
    summary: "closes a report with all its rows; it is deleted after 180 days",
    fields: REPORT,
    parse: (words) => {
      const id = parseUuid(singleArgument(words, USAGE), USAGE);
      return (ctx, reason) => resolve(ctx, id, reason);
    },
  },
};
