import { randomUUID } from "node:crypto";
import { deleteMember, logOperatorAction } from "../accounts/index.ts";
import { handOver } from "../mailboxes/index.ts";
import { readUserIds } from "../members/user-ids.ts";
import { DAY_MS, utcDay } from "../platform/clock.ts";
import type { AppContext, MemberRef } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { ApiError } from "../platform/errors.ts";
import { readOperatorNames } from "./console/operators.ts";
import type { Actor } from "./members.ts";
import * as rows from "./requests.sql.ts";

/** To agree, and then to run the action again. */
const REQUEST_DAYS = 7;
/** A nightly job repeats the backup. */
const KEY_BACKUP_DAYS = 90;

export const DELETE_MEMBER = "members delete";
export const SET_EMAIL = "members set-email";
const KEY_BACKUP = "keys backup";

export interface Guarded {
  /** NOTE: readable in the database, so it names no person. */
  readonly action: string;
  readonly member: MemberRef | null;
  /** What exactly is asked for. Encrypted with the member's key. */
  readonly details?: string;
}

interface Details {
  readonly details: string | null;
  readonly reason: string | null;
}

/**
 * Once there are two operators, both decide about what cannot be undone. Returns null if the action may run now, or the
 * id of the request that waits.
 */
export async function askSecondOperator(
  ctx: AppContext,
  { operatorId, reason }: Actor,
  { action, member, details = "" }: Guarded,
): Promise<string | null> {
  // The command line is the other operator of everybody in the console.
  if (operatorId === null && !(await rows.hasOtherOperator(ctx.db, null))) return null;
  const now = ctx.clock.now();
  const same = { action, operator_id: operatorId, subject_no: member?.memberId ?? null };
  for (const request of await rows.readRequestsOf(ctx.db, same, now)) {
    if (((await readDetails(ctx, request)).details ?? "") !== details) continue;
    if (!request.is_approved) return request.request_id;
    if (action.startsWith(KEY_BACKUP) || (await rows.deleteRequest(ctx.db, request.request_id))) return null;
  }
  const request_id = randomUUID();
  const content: Details = { details, reason };
  await rows.insertRequest(ctx.db, {
    ...same,
    request_id,
    encrypted_details:
      member &&
      (await ctx.encryption.encrypt(member.memberId, JSON.stringify(content), contextOf(request_id))),
    asked_on: utcDay(now),
    is_approved: false,
    expires_at: new Date(now.getTime() + REQUEST_DAYS * DAY_MS),
  });
  return request_id;
}

/** Leaves out approved requests, except for those of key backups. */
export async function listRequests(ctx: AppContext, { operatorId, reason: why }: Actor) {
  await logOperatorAction(ctx, "approvals list", null, why, operatorId);
  const found = await rows.readRequests(ctx.db, ctx.clock.now());
  const names = await readOperatorNames(ctx);
  const userIds = await readUserIds(
    ctx.db,
    ctx.encryption,
    found.flatMap(({ subject_no }) => subject_no ?? []),
  );
  return Promise.all(
    found.map(async (request) => {
      const { request_id: id, operator_id: by, action, asked_on: on, subject_no } = request;
      const { details, reason } = await readDetails(ctx, request);
      return {
        id,
        action,
        details,
        reason,
        on,
        userId: subject_no === null ? null : (userIds.get(subject_no) ?? null),
        operator: by && (names.get(by) ?? null),
        isOwn: by === operatorId,
        isApproved: request.is_approved,
        until: request.expires_at,
      };
    }),
  );
}

/**
 * A deletion and a new address happen at once; the command line repeats other actions.
 *
 * @throws not_found for an unknown request and for one's own
 */
export async function approveRequest(ctx: AppContext, by: Actor, id: string): Promise<void> {
  const now = ctx.clock.now();
  const found = (await rows.readRequests(ctx.db, now)).find(({ request_id }) => request_id === id);
  const member = found?.subject_no ? { memberId: found.subject_no } : null;
  await logOperatorAction(
    ctx,
    `approvals approve ${found?.action ?? ""}`.trimEnd(),
    member,
    by.reason,
    by.operatorId,
  );
  const approved = await ctx.db.transaction().execute(async (tx) => {
    const request = await rows.lockRequest(tx, id, now);
    if (!request || request.is_approved || request.operator_id === by.operatorId)
      throw new ApiError("not_found");
    const days = request.action.startsWith(KEY_BACKUP) ? KEY_BACKUP_DAYS : REQUEST_DAYS;
    await rows.setApproved(tx, id, new Date(now.getTime() + days * DAY_MS));
    return request;
  });
  if (approved.action === DELETE_MEMBER && member) await deleteMember(ctx, member.memberId);
  if (approved.action === SET_EMAIL && member) await handOver(ctx, member.memberId);
}

export async function rejectRequest(ctx: AppContext, by: Actor, id: string): Promise<void> {
  const found = (await rows.readRequests(ctx.db, ctx.clock.now())).find(
    ({ request_id }) => request_id === id,
  );
  const member = found?.subject_no ? { memberId: found.subject_no } : null;
  await logOperatorAction(
    ctx,
    `approvals reject ${found?.action ?? ""}`.trimEnd(),
    member,
    by.reason,
    by.operatorId,
  );
  if (!(await rows.deleteRequest(ctx.db, id))) throw new ApiError("not_found");
}

export async function deleteRequestsAbout(tx: Tx, { memberId }: MemberRef): Promise<void> {
  await rows.deleteRequestsAbout(tx, memberId);
}

async function readDetails(
  { encryption }: AppContext,
  { encrypted_details: encrypted, request_id }: rows.RequestRow,
): Promise<Details> {
  const text = encrypted && (await encryption.decryptIfKept(encrypted, contextOf(request_id)));
  return text ? (JSON.parse(text) as Details) : { details: null, reason: null };
}

const contextOf = (requestId: string): string => `operator_requests.encrypted_details:${requestId}`;
