import type { AppContext } from "../platform/context.ts";
import type { DecisionRow } from "./decisions.sql.ts";

export async function encryptReason(
  { encryption }: AppContext,
  { case_no, key_id }: { case_no: number; key_id: number },
  reason: string,
): Promise<Buffer> {
  return encryption.encrypt(key_id, reason, contextOf(case_no));
}

export async function decryptReason(
  { encryption }: AppContext,
  { case_no, encrypted_reason }: Pick<DecisionRow, "case_no" | "encrypted_reason">,
): Promise<string | null> {
  return encrypted_reason && encryption.decryptIfKept(encrypted_reason, contextOf(case_no));
}

const contextOf = (caseNo: number): string => `case_decisions.encrypted_reason:${caseNo}`;
