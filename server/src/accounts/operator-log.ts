import { randomUUID } from "node:crypto";
import type { CaseRule } from "@alcove/contract/cases";
import { DELETED_SUBJECT } from "@alcove/contract/console";
import { RETENTION } from "@alcove/contract/retention";
import { DAY_MS, floorTo, HOUR_MS, utcDay } from "../platform/clock.ts";
import type { AppContext, MemberRef } from "../platform/context.ts";
import type { Db, Tx } from "../platform/db/database.ts";
import { KeyDestroyedError } from "../platform/keys/data-keys.ts";
import { keyIdOf } from "../platform/keys/encryption.ts";
import * as rows from "./operator-log.sql.ts";
import { readUserIds } from "../members/user-ids.ts";

/**
 * Call it before the action, so that an interrupted action is logged too. The reason is encrypted, because operators
 * write names into it.
 */
export async function logOperatorAction(
  ctx: AppContext,
  action: string,
  member: MemberRef | null,
  reason: string | null,
  operatorId: string | null = null,
  caseNo: number | null = null,
): Promise<void> {
  const { keys } = ctx.encryption;
  const id = randomUUID();
  const at = floorTo(ctx.clock.now(), HOUR_MS);
  await ctx.db.transaction().execute(async (tx) => {
    const entry = {
      entry_id: id,
      at,
      action,
      subject_no: member?.memberId ?? null,
      operator_id: operatorId,
      case_no: caseNo,
      case_rule: member && caseNo !== null ? await rows.findCaseRule(tx, caseNo, member.memberId) : null,
    };
    if (reason === null) return rows.insertEntry(tx, { ...entry, encrypted_reason: null });
    const keyId = member?.memberId ?? keys.create();
    const encrypted_reason = await ctx.encryption.encrypt(keyId, reason, reasonContext(id));
    if (!member) await keys.store(tx, keyId);
    return rows.insertEntry(tx, { ...entry, encrypted_reason });
  });
}

/**
 * Lets members read the looks of a case. The accused reads those with an announced `rule` at once, by day. All others
 * appear on a day, by month.
 */
export async function showLooks(
  tx: Tx,
  caseNo: number,
  { accused, rule, on }: { accused: number | null; rule: CaseRule | null; on: string },
): Promise<void> {
  if (accused !== null && rule !== null) await rows.setCaseRule(tx, caseNo, accused, rule);
  await rows.setShownFrom(tx, caseNo, on);
}

/** Destroys the keys of reasons too. A member's key is not the entry's. */
export async function deleteOldOperatorActions(ctx: AppContext): Promise<void> {
  const before = new Date(ctx.clock.now().getTime() - RETENTION.operatorLogDays * DAY_MS);
  await ctx.db.transaction().execute(async (tx) => {
    const reasons = await rows.deleteEntriesBefore(tx, before);
    await ctx.encryption.keys.destroy(
      tx,
      reasons.map(keyIdOf).filter((keyId) => keyId < 0),
    );
  });
}

/** Newest first. The reasons stay encrypted, and looks of a case are there once `showLooks` allows it. */
export async function readLooksAt(db: Db, memberId: number, now: Date) {
  const entries = await rows.readShownActions(db, memberId, utcDay(now));
  return entries.map(({ at, action, case_no, case_rule: rule }) => ({
    at,
    action,
    isOfCase: case_no !== null,
    rule,
  }));
}

export const OPERATOR_LOG_PAGE = 200;

/**
 * @param memberId null for all entries
 * @param before the `no` of the last entry of the previous page
 */
export async function readOperatorActions(
  ctx: AppContext,
  memberId: number | null,
  before: number | null = null,
) {
  const entries = await rows.readEntries(ctx.db, { subject: memberId, before, limit: OPERATOR_LOG_PAGE });
  const userIds = await readUserIds(
    ctx.db,
    ctx.encryption,
    entries.flatMap(({ subject_no }) => subject_no ?? []),
  );
  return Promise.all(
    entries.map(async ({ entry_id, sequence_no, at, action, subject_no, subject_deleted, ...entry }) => ({
      no: sequence_no,
      at,
      action,
      operatorId: entry.operator_id,
      subject:
        subject_no === null && !subject_deleted ? "-" : (userIds.get(subject_no ?? 0) ?? DELETED_SUBJECT),
      reason: entry.encrypted_reason && (await decryptReason(ctx, entry_id, entry.encrypted_reason)),
    })),
  );
}

/** Returns null if the member was deleted since the entry was read. */
async function decryptReason(ctx: AppContext, entryId: string, encrypted: Buffer): Promise<string | null> {
  try {
    return await ctx.encryption.decrypt(encrypted, reasonContext(entryId));
  } catch (error) {
    if (error instanceof KeyDestroyedError) return null;
    throw error;
  }
}

const reasonContext = (entryId: string): string => `operator_log.encrypted_reason:${entryId}`;
