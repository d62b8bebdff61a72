import { randomUUID } from "node:crypto";
import { parseArgs } from "node:util";

export const HELP = `The operator's command line. It uses the same environment variables as the server, and works
while the server runs and while it does not.

  npm run operator -- members show USER_ID
  npm run operator -- members grant USER_ID --year 1 --month 2    after a bank transfer, for example
  npm run operator -- members suspend USER_ID                     out at once, and seen by nobody
  npm run operator -- members restore USER_ID
  npm run operator -- members delete USER_ID                      cannot be undone
  npm run operator -- reports list                                what is open, the oldest first, with its words
  npm run operator -- reports resolve ID                          no longer open; forgotten after 180 days

  --reason TEXT   kept with the act in the operator's log
  --grant-id ID   a UUID; a grant that is repeated with the same one counts once
  --json          answers as JSON
  --help          this page
`;

/** The command line cannot be understood; the message says what to type instead. */
export class UsageProblem extends Error {
  override name = "UsageProblem";
}

const memberActs = ["show", "grant", "suspend", "restore", "delete"] as const;
export type MemberAct = (typeof memberActs)[number];

export interface MemberCommand {
  group: "members";
  act: MemberAct;
  userId: string;
  year: number;
  month: number;
  grantId: string;
  reason: string | null;
  isJson: boolean;
}

/** `reportId` is null for the list. */
interface ReportCommand {
  group: "reports";
  reportId: string | null;
  reason: string | null;
  isJson: boolean;
}

export type Command = MemberCommand | ReportCommand;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Reads the arguments; null when help is wanted. */
export function readCommand(args: readonly string[]): Command | null {
  const { values, positionals } = parse(args);
  if (values.help || args.length === 0) return null;

  if (positionals[0] === "reports") return readReportCommand(positionals, values);
  return readMemberCommand(positionals, values);
}

function readReportCommand(positionals: readonly string[], values: Values): ReportCommand {
  const [, act, reportId, ...more] = positionals;
  if ((values.year ?? values.month ?? values["grant-id"]) !== undefined) {
    throw new UsageProblem("--year, --month and --grant-id belong to members grant.");
  }
  const command = { group: "reports", reason: values.reason ?? null, isJson: values.json } as const;
  if (act === "list" && reportId === undefined) return { ...command, reportId: null };
  if (act === "resolve" && reportId !== undefined && UUID.test(reportId) && more.length === 0) {
    return { ...command, reportId };
  }
  throw new UsageProblem("reports list takes nothing, and reports resolve the ID of a report.");
}

function readMemberCommand(positionals: readonly string[], values: Values): MemberCommand {
  const [group, name, userId, ...more] = positionals;
  const act = memberActs.find((known) => known === name);
  if (group !== "members" || !act) throw new UsageProblem(`Unknown command: ${positionals.join(" ")}`);
  if (!userId || more.length > 0) throw new UsageProblem(`members ${act} takes one USER_ID.`);

  const [year, month] = [count("--year", values.year, 100), count("--month", values.month, 1_200)];
  if (act === "grant" && year + month === 0) throw new UsageProblem("members grant needs --year or --month.");
  if (act !== "grant" && (values.year ?? values.month ?? values["grant-id"]) !== undefined) {
    throw new UsageProblem("--year, --month and --grant-id belong to members grant.");
  }
  const grantId = values["grant-id"] ?? randomUUID();
  if (!UUID.test(grantId)) throw new UsageProblem("--grant-id must be a UUID.");
  return { group, act, userId, year, month, grantId, reason: values.reason ?? null, isJson: values.json };
}

type Values = ReturnType<typeof parse>["values"];

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        year: { type: "string" },
        month: { type: "string" },
        "grant-id": { type: "string" },
        reason: { type: "string" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    throw new UsageProblem((error as Error).message);
  }
}

function count(option: string, value: string | undefined, max: number): number {
  if (value === undefined) return 0;
  if (/^\d{1,5}$/.test(value) && Number(value) <= max) return Number(value);
  throw new UsageProblem(`${option} must be a whole number from 0 to ${max}.`);
}
