import { randomUUID } from "node:crypto";
import type { ParsedOf, ResponseOf } from "@alcove/contract";
import type {
  CorrectedField,
  getCorrections,
  requestCorrection as requestCorrectionCall,
} from "@alcove/contract/corrections";
import { ageError } from "@alcove/contract/fields";
import type { Sex } from "@alcove/contract/users";
import { lockMember } from "../members/locks.ts";
import { monthOf, utcDay } from "../platform/clock.ts";
import type { AppContext, MemberRef } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { ApiError, throwIfInvalid } from "../platform/errors.ts";
import type { ExportPart } from "../platform/personal-data-exports.ts";
import { loadPeople } from "./load-people.ts";
import * as rows from "./corrections.sql.ts";
import * as profiles from "./profiles.sql.ts";
import { decryptProfileText, encryptProfileText } from "./profile-text.ts";

interface Request {
  readonly value: string;
  readonly reason: string;
}

export interface WaitingCorrection extends Request {
  readonly id: string;
  readonly on: string;
  readonly field: CorrectedField;
  readonly memberId: number;
  readonly userId: string;
  readonly now: string;
}

const contextOf = (memberId: number, field: CorrectedField): string =>
  `corrections.encrypted_request:${memberId}:${field}`;

/** One request waits at a time; a field that was corrected stays so. */
export async function requestCorrection(
  ctx: AppContext,
  { memberId }: MemberRef,
  { sex, date_of_birth, reason }: ParsedOf<typeof requestCorrectionCall>,
): Promise<void> {
  const day = utcDay(ctx.clock.now());
  const field = sex == null ? "date_of_birth" : "sex";
  const request: Request = { value: sex ?? date_of_birth!, reason };
  await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, memberId))) throw new ApiError("login_required");
    const own = await profiles.readOwnProfile(tx, memberId);
    if (!own) throw new ApiError("login_required");
    const { date_of_birth: birth } = await decryptProfileText(
      ctx.encryption,
      memberId,
      own.encrypted_profile,
    );
    const isSame = request.value === { sex: own.sex, date_of_birth: birth }[field];
    throwIfInvalid({
      [field]: isSame ? "invalid" : field === "sex" ? null : ageError(day, request.value),
    });
    const before = await rows.readCorrections(tx, memberId);
    if (before.some(({ state }) => state === "waiting")) throw new ApiError("correction_waiting");
    if (before.some((row) => row.field === field && row.state === "done"))
      throw new ApiError("already_corrected");
    await rows.upsertCorrection(tx, {
      member_no: memberId,
      field,
      correction_id: randomUUID(),
      state: "waiting",
      changed_on: day,
      encrypted_request: await ctx.encryption.encrypt(
        memberId,
        JSON.stringify(request),
        contextOf(memberId, field),
      ),
    });
  });
}

export async function listCorrections(
  { db }: AppContext,
  { memberId }: MemberRef,
): Promise<ResponseOf<typeof getCorrections>> {
  const found = await rows.readCorrections(db, memberId);
  return { corrections: found.map(({ field, state, changed_on }) => ({ field, state, changed_on })) };
}

export async function exportCorrections(
  tx: Tx,
  ctx: AppContext,
  { memberId }: MemberRef,
): Promise<ExportPart> {
  const found = (await rows.readCorrections(tx, memberId)).map(async (row) => {
    const { value = null, reason = null } = (await decryptRequest(ctx, row)) ?? {};
    return { field: row.field, state: row.state, changed_on: row.changed_on, value, reason };
  });
  return { values: { corrections: await Promise.all(found) } };
}

async function decryptRequest(ctx: AppContext, row: rows.CorrectionRow): Promise<Request | null> {
  const { member_no: memberId, field, encrypted_request: encrypted } = row;
  if (!encrypted) return null;
  return JSON.parse(await ctx.encryption.decrypt(encrypted, contextOf(memberId, field))) as Request;
}

export async function listWaitingCorrections(ctx: AppContext, limit: number) {
  const waiting = await rows.readWaiting(ctx.db, limit);
  return waiting.map(({ correction_id: id, changed_on: on, field }) => ({ id, on, field }));
}

export async function readWaitingCorrection(ctx: AppContext, id: string): Promise<WaitingCorrection | null> {
  const row = await rows.findWaiting(ctx.db, id);
  const request = row && (await decryptRequest(ctx, row));
  const memberId = row?.member_no ?? 0;
  const person = (await loadPeople(ctx, [memberId])).get(memberId);
  if (!row || !request || !person) return null;
  const { field, changed_on: on } = row;
  const now = field === "sex" ? person.sex : person.dateOfBirth;
  return { ...request, id, on, field, memberId, userId: person.userId, now };
}

/** Returns false if it is decided: of two operators one acts. The search follows in the same transaction. */
export async function decideCorrection(
  ctx: AppContext,
  { memberId, field, id, value }: WaitingCorrection,
  isAccepted: boolean,
): Promise<boolean> {
  const ending = { state: isAccepted ? "done" : "rejected", changed_on: utcDay(ctx.clock.now()) } as const;
  let afterCommit = () => {};
  const isDecided = await ctx.db.transaction().execute(async (tx) => {
    if (!(await lockMember(tx, memberId))) return false;
    if (!(await rows.endCorrection(tx, { memberId, field, id }, ending))) return false;
    if (isAccepted) await correct(tx, ctx, memberId, { field, value });
    afterCommit = await ctx.domainEvents.emit(tx, "news_added", { memberId, kind: "notice" });
    return true;
  });
  if (isDecided) {
    afterCommit();
    ctx.eventBus.publish("account_changed", { memberId, language: null });
  }
  return isDecided;
}

async function correct(
  tx: Tx,
  ctx: AppContext,
  memberId: number,
  { field, value }: { field: CorrectedField; value: string },
): Promise<void> {
  const old = await profiles.lockProfile(tx, memberId);
  if (!old) return;
  if (field === "sex") await profiles.updateSearch(tx, memberId, { sex: value as Sex });
  else {
    const text = await decryptProfileText(ctx.encryption, memberId, old.encrypted_profile);
    const changed = { ...text, date_of_birth: value };
    await profiles.updateProfile(tx, memberId, await encryptProfileText(ctx.encryption, memberId, changed));
    await profiles.updateSearch(tx, memberId, { birth_month: monthOf(value) });
  }
  await ctx.domainEvents.emit(tx, "person_corrected", { memberId });
}
