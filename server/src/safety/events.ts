import type { MemberRef } from "../platform/context.ts";

export interface SafetyDomainEvents {
  /** Match and chat end. Both members are locked. */
  pair_blocked: { by: MemberRef; other: MemberRef };
  /** Nothing is restored; the two may meet again after `PASS_DAYS`. */
  pair_unblocked: { by: MemberRef; other: MemberRef };
}

export interface SafetyJobs {
  /** `encrypted` holds the entries. */
  resolve_never_see: { owner: number; encrypted: string };
  /** An entry and the sign-up may have happened at the same time. */
  apply_never_see: { memberId: number };
}
