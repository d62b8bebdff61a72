import type { MemberRef } from "../platform/context.ts";

export interface SafetyDomainEvents {
  /** A member blocked another: their match and chat end. Both members are locked. */
  pair_blocked: { by: MemberRef; other: MemberRef };
  /** A block was removed. Nothing is restored; the two may meet again after `PASS_DAYS`. */
  pair_unblocked: { by: MemberRef; other: MemberRef };
}

export interface SafetyJobs {
  /** Looks up members by the entries of a never-see list; `encrypted` holds the entries. */
  resolve_never_see: { owner: number; encrypted: string };
  /** Applies never-see lists to a new member, if an entry and the sign-up happened at the same time. */
  apply_never_see: { memberId: number };
}
