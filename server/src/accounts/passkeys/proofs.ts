import type { ErrorCode } from "@alcove/contract/errors";
import type { AppContext, CurrentMember } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { ApiError } from "../../platform/errors.ts";
import { lockAccount, lockMember } from "../../members/locks.ts";
import { NO_MEMBER } from "../../members/find-member.ts";
import { checkPassword, countingConfirmation } from "../passwords/confirm-password.ts";
import * as rows from "./passkeys.sql.ts";
import { recoveryCodeDigest } from "./recovery-codes.ts";
import { findUsedPasskey, siteOf, verifyPasskey } from "./stored-passkeys.ts";
import type { Structure } from "./webauthn.ts";

export interface ProofFields {
  readonly password?: string | null | undefined;
  readonly response?: Structure | null | undefined;
  readonly recovery_code?: string | null | undefined;
}

export interface Proof {
  readonly kind: "password" | "passkey" | "recovery_code";
  /** False for a proof that another call used, or that a change of the account ended. */
  holds(tx: Tx): Promise<boolean>;
}

interface Place {
  readonly ip: string;
  readonly origin: string;
}

/** Runs in the transaction that the proof permits, under the member's lock. Throws `code` if it no longer holds. */
export async function spendProof(tx: Tx, proof: Proof, code: ErrorCode = "not_confirmed"): Promise<void> {
  if (!(await proof.holds(tx))) throw new ApiError(code);
}

/** Wrong proofs count for the session. Returns null for a wrong one, or none. */
async function proveCaller(
  ctx: AppContext,
  me: CurrentMember,
  { password, response }: ProofFields,
  { ip, origin }: Place,
): Promise<Proof | null> {
  return countingConfirmation(ctx, me, async () => {
    if (response != null) return provePasskey(ctx, me.memberId, response, origin);
    const hash = password == null ? null : await checkPassword(ctx, me, password, ip);
    if (hash === null) return null;
    const holds = async (tx: Tx) => (await lockAccount(tx, me.memberId))?.password_hash === hash;
    return { kind: "password", holds };
  });
}

export async function requireProof(
  ctx: AppContext,
  me: CurrentMember,
  fields: ProofFields,
  place: Place,
): Promise<Proof> {
  const proof = await proveCaller(ctx, me, fields, place);
  if (!proof) throw new ApiError("not_confirmed");
  return proof;
}

/** Returns null for a wrong response. The caller counts attempts. */
export async function provePasskey(
  ctx: AppContext,
  memberId: number,
  response: Structure,
  origin: string,
  needsOwner = true,
): Promise<Proof | null> {
  const row = await findUsedPasskey(ctx, response);
  if (row?.member_no !== memberId) return null;
  const used = await verifyPasskey(ctx, siteOf(ctx, origin), response, row, needsOwner);
  return used && { kind: "passkey", holds: (tx) => used.spend(tx) };
}

/** Returns null for a wrong code. The caller counts attempts. An unknown account takes the same statements. */
export async function proveRecoveryCode(
  ctx: AppContext,
  memberId: number | undefined,
  code: string,
): Promise<Proof | null> {
  const owner = memberId ?? NO_MEMBER;
  const digest = recoveryCodeDigest(ctx, owner, code);
  if (!(await rows.hasRecoveryCode(ctx.db, owner, digest))) return null;
  return { kind: "recovery_code", holds: (tx) => rows.useRecoveryCode(tx, owner, digest) };
}

export async function confirmCaller(
  ctx: AppContext,
  me: CurrentMember,
  fields: ProofFields,
  place: Place,
): Promise<boolean> {
  const proof = await proveCaller(ctx, me, fields, place);
  if (!proof) return false;
  return ctx.db.transaction().execute(async (tx) => {
    await lockMember(tx, me.memberId);
    return proof.holds(tx);
  });
}
