import type { ParsedOf, ResponseOf } from "@alcove/contract";
import type {
  CaseDetail,
  decideCase as decideCaseCall,
  getCases,
  readCasePicture,
  OpenCase,
} from "@alcove/contract/console";
import { logOperatorAction } from "../../accounts/index.ts";
import {
  countSameNetwork,
  decideFlag,
  listFlags,
  readFlag,
  readFlagPicture,
} from "../../moderation/index.ts";
import { MINUTE_MS, utcDay } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import {
  decideReport,
  listOpenReports,
  listReportsOf,
  readOpenReport,
  readReportPicture,
} from "../../reports/index.ts";
import { deleteClaim, holdsClaim, readClaims, takeClaim } from "./claims.sql.ts";
import { type Operator, readOperatorNames } from "./operators.ts";

const CLAIM_MINUTES = 15;

/** The list shows neither members nor texts, so that a look at it reveals nothing. */
export async function listCases(ctx: AppContext, me: Operator): Promise<ResponseOf<typeof getCases>> {
  await logOperatorAction(ctx, "cases list", null, null, me.operatorId);
  const claims = await readClaims(ctx.db, ctx.clock.now());
  const names = await readOperatorNames(ctx);
  const listed = (one: Pick<OpenCase, "id" | "kind" | "on"> & Partial<OpenCase>): OpenCase => {
    const operatorId = claims.get(one.id);
    return {
      reason: null,
      has_message: false,
      claimed_by: operatorId === undefined ? null : (names.get(operatorId) ?? null),
      is_mine: operatorId === me.operatorId,
      ...one,
    };
  };
  const reports = await listOpenReports(ctx);
  const flags = await listFlags(ctx);
  const cases = [
    ...reports.map(({ id, at, reason, hasMessage: has_message }) =>
      listed({ id, kind: "report", on: utcDay(at), reason, has_message }),
    ),
    ...flags.map(({ id, on }) => listed({ id, kind: "picture", on })),
  ];
  return { cases: cases.toSorted((a, b) => a.on.localeCompare(b.on)) };
}

/** Takes the case, logs the look, then decrypts. Another operator's case stays closed. */
export async function openCase(ctx: AppContext, me: Operator, id: string): Promise<{ case: CaseDetail }> {
  const now = ctx.clock.now();
  const expires_at = new Date(now.getTime() + CLAIM_MINUTES * MINUTE_MS);
  if (!(await takeClaim(ctx.db, { case_id: id, operator_id: me.operatorId, expires_at }, now)))
    throw new ApiError("case_taken");
  await logOperatorAction(ctx, `cases open ${id}`, null, null, me.operatorId);
  const found = (await describeReport(ctx, id)) ?? (await describeFlag(ctx, id));
  if (!found) {
    await deleteClaim(ctx.db, { caseId: id, operatorId: me.operatorId, now });
    throw new ApiError("not_found");
  }
  return { case: { ...found, claimed_until: expires_at.toISOString() } };
}

export async function readPicture(
  ctx: AppContext,
  me: Operator,
  id: string,
): Promise<ResponseOf<typeof readCasePicture>> {
  if (!(await holdsClaim(ctx.db, { caseId: id, operatorId: me.operatorId, now: ctx.clock.now() })))
    throw new ApiError("case_taken");
  await logOperatorAction(ctx, `cases picture ${id}`, null, null, me.operatorId);
  const jpeg = (await readReportPicture(ctx, id)) ?? (await readFlagPicture(ctx, id));
  if (!jpeg) throw new ApiError("not_found");
  return { jpeg: jpeg.toString("base64") };
}

export async function releaseCase(ctx: AppContext, me: Operator, id: string): Promise<void> {
  await deleteClaim(ctx.db, { caseId: id, operatorId: me.operatorId, now: ctx.clock.now() });
}

/** The claim ends first, and the case closes once: of two operators one acts, even if a claim has just expired. */
export async function decideCase(
  ctx: AppContext,
  me: Operator,
  { id, outcome, reason }: ParsedOf<typeof decideCaseCall>,
): Promise<void> {
  const claim = { caseId: id, operatorId: me.operatorId, now: ctx.clock.now() };
  if (!(await holdsClaim(ctx.db, claim))) throw new ApiError("case_taken");
  const about =
    (await readOpenReport(ctx, id))?.reportedMemberId ?? (await readFlag(ctx, id))?.memberId ?? null;
  const subject = about === null ? null : { memberId: about };
  await logOperatorAction(ctx, `cases ${outcome} ${id}`, subject, reason, me.operatorId);
  if (!(await deleteClaim(ctx.db, claim))) throw new ApiError("case_taken");
  const isDecided =
    (await decideReport(ctx, id, { outcome, reason })) ||
    (await decideFlag(ctx, id, { isSuspended: outcome === "suspended", reason }));
  if (!isDecided) throw new ApiError("case_taken");
}

type Described = Omit<CaseDetail, "claimed_until">;

async function describeReport(ctx: AppContext, id: string): Promise<Described | null> {
  const report = await readOpenReport(ctx, id);
  if (!report) return null;
  const { reportedMemberId, message } = report;
  return {
    id,
    kind: "report",
    on: utcDay(report.at),
    user_id: report.reported,
    status: report.isSuspended ? "suspended" : "active",
    reason: report.reason,
    reporter: report.reporter,
    detail: report.detail,
    message: message && { text: message.text, sent_at: message.sentAt },
    has_picture: message?.hasImage ?? false,
    similar_to: null,
    earlier: await listEarlier(ctx, reportedMemberId),
    same_network: await countSameNetwork(ctx, reportedMemberId),
  };
}

async function describeFlag(ctx: AppContext, id: string): Promise<Described | null> {
  const flag = await readFlag(ctx, id);
  if (!flag) return null;
  return {
    id,
    kind: "picture",
    on: flag.on,
    user_id: flag.userId,
    status: flag.isSuspended ? "suspended" : "active",
    reason: null,
    reporter: null,
    detail: null,
    message: null,
    has_picture: true,
    similar_to: flag.similarTo,
    earlier: await listEarlier(ctx, flag.memberId),
    same_network: await countSameNetwork(ctx, flag.memberId),
  };
}

async function listEarlier(ctx: AppContext, memberId: number): Promise<CaseDetail["earlier"]> {
  const reports = await listReportsOf(ctx, memberId);
  return reports.flatMap(({ side, outcome }) => (side === "received" && outcome ? [outcome] : []));
}
