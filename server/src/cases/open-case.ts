import { randomInt, randomUUID } from "node:crypto";
import type { CaseKind } from "@alcove/contract/cases";
import { findIdentifiers } from "../members/find-member.ts";
import { foldMailbox } from "../members/email-addresses.ts";
import { mailboxDigest } from "../members/former-accounts.ts";
import { ceilTo, HOUR_MS, utcDay } from "../platform/clock.ts";
import type { AppContext } from "../platform/context.ts";
import type { Tx } from "../platform/db/database.ts";
import { readAccountMarks } from "../referral/index.ts";
import { loadPeople } from "../profiles/index.ts";
import * as rows from "./cases.sql.ts";
import { copyContacts } from "./contacts.ts";
import { claimEvidence, copyProfile, discardEvidence, encryptContent, type Evidence } from "./evidence.ts";
import { insertEvidence } from "./evidence.sql.ts";

export const ranks = { urgent: 0, normal: 1, doubtful: 2, last: 3 } as const;
export type Rank = (typeof ranks)[keyof typeof ranks];

/** For operators after the account's deletion. */
export interface Accused {
  readonly userId: string;
  readonly name: string;
  readonly mailbox: string | null;
  readonly mailboxIndex: string | null;
  readonly paypal: readonly string[];
}

export interface Opening {
  readonly kind: CaseKind;
  readonly accused: number | null;
  readonly rank: Rank;
  readonly dueAt?: Date | null;
  readonly similarTo?: number | null;
  /** Beside the profile of the accused. The case claims it, or discards it. */
  readonly evidence?: readonly Evidence[];
  readonly describe?: () => Promise<{ readonly accused: Accused; readonly profile: Evidence | null }>;
  /** Locks members before everything else. May throw. */
  readonly lock?: (tx: Tx) => Promise<void>;
  readonly isSeparate?: boolean;
  /** Of `newNumber`, where the number is logged first. */
  readonly number?: number;
}

interface Draft {
  readonly caseNo: number;
  readonly keyId: number;
  readonly accused: Accused | null;
  readonly profile: Evidence | null;
}

type Fill = (tx: Tx, caseNo: number) => Promise<boolean>;

const AGAIN = Symbol("the case was looked at");

/**
 * Opens a case, or joins the unseen one of the same kind. Evidence is copied before the transaction, because pictures go
 * to the media store. Returns null if `fill` returns false.
 */
export async function openCase(
  ctx: AppContext,
  opening: Opening,
  fill: Fill = async () => true,
): Promise<number | null> {
  let isAdded = false;
  try {
    for (;;) {
      const known = await findJoinable(ctx, opening);
      const result = await tryOpen(ctx, opening, known === null ? await draftCase(ctx, opening) : null, fill);
      if (result === AGAIN) continue;
      isAdded = result !== null;
      return result;
    }
  } finally {
    if (!isAdded) for (const one of opening.evidence ?? []) await discardEvidence(ctx, one);
  }
}

export const newNumber = (): number => randomInt(10 ** 11, 10 ** 12);

async function findJoinable(ctx: AppContext, { accused, kind, isSeparate }: Opening): Promise<number | null> {
  return accused === null || isSeparate === true ? null : rows.findWaiting(ctx.db, accused, kind);
}

async function draftCase(
  ctx: AppContext,
  { accused, describe, number = newNumber() }: Opening,
): Promise<Draft> {
  const keyId = ctx.encryption.keys.create();
  const described = describe
    ? await describe()
    : {
        accused: accused === null ? null : await describeAccount(ctx, accused),
        profile: accused === null ? null : await copyProfile(ctx, accused),
      };
  return { caseNo: number, keyId, ...described };
}

async function tryOpen(
  ctx: AppContext,
  opening: Opening,
  draft: Draft | null,
  fill: Fill,
): Promise<number | null | typeof AGAIN> {
  let isStored = false;
  try {
    const result = await ctx.db.transaction().execute(async (tx) => {
      await opening.lock?.(tx);
      const joined = await joinCase(tx, ctx, opening);
      const caseNo = joined ?? draft?.caseNo;
      if (caseNo === undefined) return AGAIN;
      if (joined === null) await storeCase(tx, ctx, opening, draft!);
      else await rows.raiseRank(tx, joined, opening.rank);
      if (!(await fill(tx, caseNo))) return null;
      for (const one of opening.evidence ?? []) await addEvidence(tx, ctx, caseNo, one);
      return caseNo;
    });
    isStored = draft !== null && result === draft.caseNo;
    return result;
  } finally {
    if (draft && !isStored) {
      ctx.encryption.keys.forget(draft.keyId);
      await discardEvidence(ctx, draft.profile);
    }
  }
}

async function joinCase(tx: Tx, ctx: AppContext, opening: Opening): Promise<number | null> {
  const { accused, kind, isSeparate } = opening;
  if (accused === null || isSeparate === true) return null;
  await rows.lockAccused(tx, accused);
  const waiting = await rows.findWaiting(tx, accused, kind);
  const at = ceilTo(ctx.clock.now(), HOUR_MS);
  return waiting !== null && (await rows.joinCase(tx, waiting, at)) ? waiting : null;
}

async function storeCase(tx: Tx, ctx: AppContext, opening: Opening, draft: Draft): Promise<void> {
  const { kind, accused, rank, dueAt = null, similarTo = null } = opening;
  const now = ctx.clock.now();
  await rows.insertCase(tx, {
    case_no: draft.caseNo,
    kind,
    accused_no: accused,
    key_id: draft.keyId,
    encrypted_accused: draft.accused && (await encryptAccused(ctx, draft.caseNo, draft.keyId, draft.accused)),
    similar_to: similarTo,
    rank,
    opened_on: utcDay(now),
    newest_report_at: ceilTo(now, HOUR_MS),
    due_at: dueAt,
  });
  await ctx.encryption.keys.store(tx, draft.keyId);
  if (accused !== null) await copyContacts(tx, ctx, draft.caseNo, accused);
  if (draft.profile) await addEvidence(tx, ctx, draft.caseNo, draft.profile);
}

export async function addEvidence(
  tx: Tx,
  ctx: AppContext,
  caseNo: number,
  evidence: Evidence,
): Promise<void> {
  const place = { case_no: caseNo, evidence_id: randomUUID() };
  await claimEvidence(tx, ctx, evidence);
  await insertEvidence(tx, {
    ...place,
    report_no: null,
    key_id: evidence.keyId,
    owner_no: evidence.owner,
    encrypted_detail: null,
    encrypted_content: await encryptContent(ctx, evidence, place),
  });
}

export async function describeAccount(ctx: AppContext, memberId: number): Promise<Accused | null> {
  const identifiers = await findIdentifiers(ctx, memberId);
  const person = (await loadPeople(ctx, [memberId])).get(memberId);
  if (!identifiers || !person) return null;
  const { userId, email } = identifiers;
  const paypal = (await readAccountMarks(ctx, memberId)).map((mark) => mark.toString("base64"));
  const mailbox = email && mailboxMark(ctx, email).toString("base64");
  const mailboxIndex = email && mailboxDigest(ctx, email).toString("base64");
  return { userId, name: person.username, mailbox, mailboxIndex, paypal };
}

/** No label of members, so that an old dump links no case with an account. */
export const mailboxMark = ({ encryption }: Pick<AppContext, "encryption">, email: string): Buffer =>
  encryption.blindIndex(foldMailbox(email), "accused mailbox");

async function encryptAccused(
  { encryption }: AppContext,
  caseNo: number,
  keyId: number,
  accused: Accused,
): Promise<Buffer> {
  return encryption.encrypt(keyId, JSON.stringify(accused), accusedContext(caseNo));
}

export async function decryptAccused(
  { encryption }: AppContext,
  { case_no, encrypted_accused: encrypted }: Pick<rows.CaseRow, "case_no" | "encrypted_accused">,
): Promise<Accused | null> {
  return encrypted && (JSON.parse(await encryption.decrypt(encrypted, accusedContext(case_no))) as Accused);
}

const accusedContext = (caseNo: number): string => `cases.encrypted_accused:${caseNo}`;
