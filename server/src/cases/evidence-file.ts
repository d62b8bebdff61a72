import type { AppContext, CurrentMember } from "../platform/context.ts";
import { ApiError } from "../platform/errors.ts";
import { type CaseRow, readCase } from "./cases.sql.ts";
import { type DecisionRow, readDecisions } from "./decisions.sql.ts";
import { type ChatLine, decryptContent } from "./evidence.ts";
import { readEvidence } from "./evidence.sql.ts";
import { decryptAccused } from "./open-case.ts";
import { findCaseOfReport, readGiven } from "./reports.sql.ts";

const SIGNATURE = "Signature: ";
const LABEL = "evidence file";

interface Line {
  readonly message: ChatLine;
  readonly from: "reported" | "reporter";
}

/** Null for an unknown number, and without a chat. */
export async function writeEvidenceFile(ctx: AppContext, number: number): Promise<string | null> {
  const caseNo = await findCaseOfReport(ctx.db, number);
  const found = await readCase(ctx.db, caseNo ?? number);
  if (!found) return null;
  const lines = await readLines(ctx, found, caseNo === null ? null : number);
  if (lines.length === 0) return null;
  const accused = await decryptAccused(ctx, found);
  const text = [
    `Evidence ${number} (case ${found.case_no})`,
    `Service: ${ctx.config.brandName}`,
    `Opened on: ${found.opened_on}`,
    `Reported account: ${accused?.userId ?? "-"} (${accused?.name ?? "-"})`,
    `All times are UTC. Each message has the id that the service gave it.`,
    "",
    ...lines.flatMap(describeLine),
  ].join("\n");
  return `${text}\n${SIGNATURE}${sign(ctx, text)}\n`;
}

function describeLine({ from, message: { id, sentAt, text, source, voice } }: Line): string[] {
  const kind = voice ? `voice note of ${voice.seconds} s` : "picture";
  const file = source === null ? [] : [`[${kind}, held by the service]`];
  // Indented and without control characters, so that no message looks like a part of the file.
  const words = [text, voice?.text]
    .filter((each) => each != null)
    .join("\n")
    .split(/[\n\u2028\u2029]/u)
    .map((line) => `  ${line.replaceAll(/\p{Cc}/gu, " ")}`);
  return [`${sentAt}  ${from}  ${id}`, ...words, ...file.map((line) => `  ${line}`), ""];
}

async function readLines(ctx: AppContext, found: CaseRow, reportNo: number | null): Promise<Line[]> {
  const evidence = (await readEvidence(ctx.db, [found.case_no])).filter(
    ({ report_no }) => reportNo === null || report_no === reportNo,
  );
  const contents = await Promise.all(
    evidence.map(async (row) => ({ owner: row.owner_no, content: await decryptContent(ctx, row) })),
  );
  const lines = contents.flatMap(({ owner, content }) => {
    const from = owner === found.accused_no ? ("reported" as const) : ("reporter" as const);
    return (content?.lines ?? []).map((message): Line => ({ message, from }));
  });
  return lines.toSorted((a, b) => (a.message.sentAt < b.message.sentAt ? -1 : 1));
}

export function isGenuineEvidence(ctx: Pick<AppContext, "encryption">, file: string): boolean {
  const [, text, signature] = /^([\s\S]*)\nSignature: ([0-9a-f]+)\r?\n?$/.exec(file) ?? [];
  return text !== undefined && sign(ctx, text) === signature;
}

const sign = ({ encryption }: Pick<AppContext, "encryption">, text: string): string =>
  encryption.blindIndex(text, LABEL).toString("hex");

/** Else it would be proof in a blackmailer's hand. */
export async function readOwnEvidence(ctx: AppContext, me: CurrentMember, number: number): Promise<string> {
  const own = (await readGiven(ctx.db, me.memberId)).find(({ report_no }) => report_no === number);
  const found = own ? await readCase(ctx.db, own.case_no) : null;
  if (!found || !isConfirmed(found, await readDecisions(ctx.db, [found.case_no])))
    throw new ApiError("not_found");
  const file = await writeEvidenceFile(ctx, number);
  if (file === null) throw new ApiError("not_found");
  return file;
}

function isConfirmed({ decided_on }: CaseRow, decisions: readonly DecisionRow[]): boolean {
  const last = decisions.findLast(({ decision }) => decision !== "freeze");
  if (!last || decided_on === null) return false;
  return last.rule === "threat" && last.decision !== "none" && last.state !== "reversed";
}
