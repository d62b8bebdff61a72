import type { ParsedOf, ResponseOf } from "@alcove/contract";
import type {
  CaseDetail,
  decideCase as decideCaseCall,
  decideCaseAppeal,
  getCases,
  objectToNotice as objectCall,
  readCasePicture,
} from "@alcove/contract/console";
import { logOperatorAction } from "../../accounts/index.ts";
import * as cases from "../../cases/index.ts";
import { canObject, readRelated } from "../../notices/index.ts";
import { countSameNetwork } from "../../moderation/index.ts";
import { MINUTE_MS } from "../../platform/clock.ts";
import type { AppContext } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import { isWav } from "../../media/index.ts";
import * as actions from "../cases.ts";
import { deleteClaim, holdsClaim, readClaims, takeClaim } from "./claims.sql.ts";
import { type Operator, readOperatorNames } from "./operators.ts";

const CLAIM_MINUTES = 15;
const CASES_PER_PAGE = 50;

/** The list shows neither members nor texts, so that a look at it reveals nothing. */
export async function listCases(
  ctx: AppContext,
  me: Operator,
  { page, number, ...filter }: ParsedOf<typeof getCases>,
): Promise<ResponseOf<typeof getCases>> {
  await logOperatorAction(ctx, "cases list", null, null, me.operatorId);
  const claims = await readClaims(ctx.db, ctx.clock.now());
  const names = await readOperatorNames(ctx);
  const caseNo = number ? await cases.findCaseNo(ctx, Number(number)) : null;
  if (number && caseNo === null) return { cases: [], has_more: false };
  const { state = null, kind = null, rule = null } = filter;
  const offset = ((page ?? 1) - 1) * CASES_PER_PAGE;
  const found = await cases.listCases(
    ctx,
    { limit: CASES_PER_PAGE + 1, offset },
    { state, kind, rule, caseNo },
  );
  const listed = found.slice(0, CASES_PER_PAGE).map((one) => {
    const operatorId = claims.get(one.case_no);
    return {
      id: String(one.case_no),
      kind: one.kind,
      on: one.opened_on,
      reason: one.reason,
      reports: one.reports,
      state: one.state,
      due_at: one.due_at?.toISOString() ?? null,
      has_message: one.has_message,
      claimed_by: operatorId === undefined ? null : (names.get(operatorId) ?? null),
      is_mine: operatorId === me.operatorId,
    };
  });
  return { cases: listed, has_more: found.length > CASES_PER_PAGE };
}

/** Takes the case, logs the look, then decrypts. Another operator's case stays closed. */
export async function openCase(ctx: AppContext, me: Operator, id: string): Promise<{ case: CaseDetail }> {
  const now = ctx.clock.now();
  const expires_at = new Date(now.getTime() + CLAIM_MINUTES * MINUTE_MS);
  const case_no = Number(id);
  if (!(await takeClaim(ctx.db, { case_no, operator_id: me.operatorId, expires_at }, now)))
    throw new ApiError("case_taken");
  const found = await actions.lookAtCase(ctx, actorOf(me), case_no);
  if (found?.number !== case_no) {
    await deleteClaim(ctx.db, { caseNo: case_no, operatorId: me.operatorId, now });
    throw new ApiError("not_found");
  }
  return { case: await describeCase(ctx, found, expires_at) };
}

export async function readPicture(
  ctx: AppContext,
  me: Operator,
  { id, entry, place }: ParsedOf<typeof readCasePicture>,
): Promise<ResponseOf<typeof readCasePicture>> {
  await requireClaim(ctx, me, id);
  const wanted = { evidenceId: entry, place: place ?? 0 };
  const file = await actions.readCasePicture(ctx, actorOf(me), Number(id), wanted);
  if (!file) throw new ApiError("not_found");
  const base64 = file.toString("base64");
  return isWav(file) ? { jpeg: null, wav: base64 } : { jpeg: base64, wav: null };
}

export async function readEvidence(ctx: AppContext, me: Operator, id: string): Promise<{ file: string }> {
  await requireClaim(ctx, me, id);
  const file = await actions.readEvidenceFile(ctx, actorOf(me), Number(id));
  if (file === null) throw new ApiError("not_found");
  return { file };
}

export async function releaseCase(ctx: AppContext, me: Operator, id: string): Promise<void> {
  await deleteClaim(ctx.db, claimOf(ctx, me, id));
}

/** The case closes once: of two operators one acts, even if a claim has just expired. */
export async function decideCase(
  ctx: AppContext,
  me: Operator,
  { id, reason, ...decision }: ParsedOf<typeof decideCaseCall>,
): Promise<void> {
  await requireClaim(ctx, me, id);
  const { days = null, content = null } = decision;
  const decided = { ...decision, days, content };
  if (!(await actions.decideCase(ctx, actorOf(me, reason), Number(id), decided)))
    throw new ApiError("case_taken");
  await releaseCase(ctx, me, id);
}

export async function decideAppeal(
  ctx: AppContext,
  me: Operator,
  { id, outcome, reason }: ParsedOf<typeof decideCaseAppeal>,
): Promise<void> {
  await requireClaim(ctx, me, id);
  if (!(await actions.decideAppeal(ctx, actorOf(me, reason), Number(id), outcome)))
    throw new ApiError("case_taken");
  await releaseCase(ctx, me, id);
}

export async function objectToNotice(
  ctx: AppContext,
  me: Operator,
  { id, text }: ParsedOf<typeof objectCall>,
): Promise<void> {
  await requireClaim(ctx, me, id);
  if (!(await actions.objectToNotice(ctx, actorOf(me), Number(id), text))) throw new ApiError("conflict");
  await releaseCase(ctx, me, id);
}

const actorOf = ({ operatorId }: Operator, reason: string | null = null) => ({ operatorId, reason });

const claimOf = (ctx: AppContext, { operatorId }: Operator, id: string) => ({
  caseNo: Number(id),
  operatorId,
  now: ctx.clock.now(),
});

async function requireClaim(ctx: AppContext, me: Operator, id: string): Promise<void> {
  if (!(await holdsClaim(ctx.db, claimOf(ctx, me, id)))) throw new ApiError("case_taken");
}

async function describeCase(
  ctx: AppContext,
  found: cases.CaseFacts,
  claimedUntil: Date,
): Promise<CaseDetail> {
  const { accused } = found;
  const others = accused === null ? [] : await cases.listCasesOf(ctx, accused.memberId);
  return {
    id: String(found.number),
    kind: found.kind,
    on: found.openedOn,
    user_id: accused?.userId ?? null,
    name: accused?.name ?? null,
    status: accused?.standing ?? null,
    entries: found.entries.map(({ content, ...entry }) => ({
      id: entry.id,
      on: entry.on,
      reason: entry.reason,
      reporter: entry.reporter,
      detail: entry.detail,
      contest: entry.contest,
      kind: content?.kind ?? null,
      text: content?.text ?? null,
      sent_at: content?.sentAt ?? null,
      lines: (content?.lines ?? []).map(({ text, sentAt, source, voice }) => ({
        text,
        sent_at: sentAt,
        has_picture: source !== null && !voice,
        voice_text: voice?.text ?? null,
        has_voice: voice !== undefined,
      })),
      voice_text: content?.voice?.text ?? null,
      pictures: content?.mediaIds.length ?? 0,
      voice_notes: content ? cases.voicePlaces(content) : [],
    })),
    similar_to: found.similarTo,
    related: (await readRelated(ctx.db, found.number)).map(String),
    decisions: found.decisions.map((one) => ({
      decision: one.decision,
      rule: one.rule,
      reason: one.reason,
      effective_at: one.effective_at.toISOString(),
      until: one.ends_at?.toISOString() ?? null,
      is_announced: one.state !== "waiting",
      appeal: one.appeal,
      appeal_state: one.appeal_state,
    })),
    earlier: others.flatMap(({ side, number, outcome }) =>
      side === "received" && number !== found.number && outcome ? [outcome] : [],
    ),
    same_network: accused === null ? 0 : await countSameNetwork(ctx, accused.memberId),
    is_closed:
      found.decidedOn !== null && found.decisions.every(({ appeal_state }) => appeal_state !== "open"),
    can_object: await canObject(ctx, found.number),
    claimed_until: claimedUntil.toISOString(),
  };
}
