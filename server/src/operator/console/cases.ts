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
  decideReports,
  findReportedMember,
  listReportGroups,
  listReportsOf,
  openReports,
  readReportPicture,
} from "../../reports/index.ts";
import { deleteClaim, holdsClaim, readClaims, takeClaim } from "./claims.sql.ts";
import { type Operator, readOperatorNames } from "./operators.ts";

const CLAIM_MINUTES = 15;
const CASES_PER_PAGE = 50;

/** The list shows neither members nor texts, so that a look at it reveals nothing. */
export async function listCases(
  ctx: AppContext,
  me: Operator,
  page: number,
): Promise<ResponseOf<typeof getCases>> {
  await logOperatorAction(ctx, "cases list", null, null, me.operatorId);
  const claims = await readClaims(ctx.db, ctx.clock.now());
  const names = await readOperatorNames(ctx);
  const listed = (one: Pick<OpenCase, "id" | "kind" | "on"> & Partial<OpenCase>): OpenCase => {
    const operatorId = claims.get(one.id);
    return {
      reason: null,
      reports: 0,
      has_message: false,
      claimed_by: operatorId === undefined ? null : (names.get(operatorId) ?? null),
      is_mine: operatorId === me.operatorId,
      ...one,
    };
  };
  const end = page * CASES_PER_PAGE;
  const groups = await listReportGroups(ctx, end + 1);
  const flags = await listFlags(ctx, end + 1);
  const cases = [
    ...groups.map(({ id, at, reason, reports, hasMessage: has_message }) =>
      listed({ id, kind: "report", on: utcDay(at), reason, reports, has_message }),
    ),
    ...flags.map(({ id, on }) => listed({ id, kind: "picture", on })),
  ].toSorted((a, b) => rankOf(a) - rankOf(b) || a.on.localeCompare(b.on));
  return { cases: cases.slice(end - CASES_PER_PAGE, end), has_more: cases.length > end };
}

const rankOf = ({ reason }: OpenCase): number => (reason === "underage" ? 0 : 1);

/** Takes the case, logs the look, then decrypts. Another operator's case stays closed. */
export async function openCase(ctx: AppContext, me: Operator, id: string): Promise<{ case: CaseDetail }> {
  const now = ctx.clock.now();
  const expires_at = new Date(now.getTime() + CLAIM_MINUTES * MINUTE_MS);
  if (!(await takeClaim(ctx.db, { case_id: id, operator_id: me.operatorId, expires_at }, now)))
    throw new ApiError("case_taken");
  await logOperatorAction(ctx, `cases open ${id}`, null, null, me.operatorId);
  const found = (await describeReports(ctx, id)) ?? (await describeFlag(ctx, id));
  if (!found) {
    await deleteClaim(ctx.db, { caseId: id, operatorId: me.operatorId, now });
    throw new ApiError("not_found");
  }
  return { case: { ...found, claimed_until: expires_at.toISOString() } };
}

export async function readPicture(
  ctx: AppContext,
  me: Operator,
  { id, entry }: ParsedOf<typeof readCasePicture>,
): Promise<ResponseOf<typeof readCasePicture>> {
  if (!(await holdsClaim(ctx.db, { caseId: id, operatorId: me.operatorId, now: ctx.clock.now() })))
    throw new ApiError("case_taken");
  await logOperatorAction(ctx, `cases picture ${id}`, null, null, me.operatorId);
  const about = entry ? await findReportedMember(ctx, id) : null;
  const jpeg =
    entry && about !== null ? await readReportPicture(ctx, entry, about) : await readFlagPicture(ctx, id);
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
  const about = (await findReportedMember(ctx, id)) ?? (await readFlag(ctx, id))?.memberId ?? null;
  const subject = about === null ? null : { memberId: about };
  await logOperatorAction(ctx, `cases ${outcome} ${id}`, subject, reason, me.operatorId);
  if (!(await deleteClaim(ctx.db, claim))) throw new ApiError("case_taken");
  const isDecided =
    (await decideReports(ctx, id, { outcome, reason })) ||
    (await decideFlag(ctx, id, { isSuspended: outcome === "suspended", reason }));
  if (!isDecided) throw new ApiError("case_taken");
}

type Described = Omit<CaseDetail, "claimed_until">;

async function describeReports(ctx: AppContext, id: string): Promise<Described | null> {
  const opened = await openReports(ctx, id);
  const [first] = opened?.entries ?? [];
  if (!opened || !first) return null;
  return {
    id,
    kind: "report",
    on: utcDay(new Date(Math.min(...opened.entries.map(({ at }) => at.getTime())))),
    user_id: first.reported,
    status: first.isSuspended ? "suspended" : "active",
    entries: opened.entries.map(({ entryId, at, reason, reporter, detail, message }) => ({
      id: entryId,
      on: utcDay(at),
      reason,
      reporter,
      detail,
      message: message && { text: message.text, sent_at: message.sentAt },
      has_picture: message?.hasImage ?? false,
    })),
    similar_to: null,
    earlier: await listEarlier(ctx, opened.memberId),
    same_network: await countSameNetwork(ctx, opened.memberId),
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
    entries: [],
    similar_to: flag.similarTo,
    earlier: await listEarlier(ctx, flag.memberId),
    same_network: await countSameNetwork(ctx, flag.memberId),
  };
}

async function listEarlier(ctx: AppContext, memberId: number): Promise<CaseDetail["earlier"]> {
  const reports = await listReportsOf(ctx, memberId);
  return reports.flatMap(({ side, outcome }) => (side === "received" && outcome ? [outcome] : []));
}
