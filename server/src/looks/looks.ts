import type { ResponseOf } from "@alcove/contract";
import type { getLooks, Look, LookKind } from "@alcove/contract/looks";
import { readLooksAt } from "../accounts/index.ts";
import { utcDay } from "../platform/clock.ts";
import type { AppContext, MemberRef } from "../platform/context.ts";
import type { Db } from "../platform/db/database.ts";

/** By the first words of an entry in the operator log. Everything else is a change. */
const KINDS: readonly (readonly [action: string, kind: LookKind])[] = [
  ["members show", "account"],
  ["members find", "account"],
  ["members network", "network"],
  ["age-checks", "picture"],
  ["corrections show", "account"],
  ["orders", "payments"],
  ["payouts", "payments"],
  ["help", "help"],
  ["log", "log"],
];

/** The operator's own words stay out: they may name others. */
export async function listLooks({ db }: AppContext, me: MemberRef): Promise<ResponseOf<typeof getLooks>> {
  return { looks: await readLooks(db, me.memberId) };
}

export async function readLooks(db: Db, memberId: number): Promise<Look[]> {
  const entries = await readLooksAt(db, memberId);
  return entries
    .filter(({ caseNo }) => caseNo === null)
    .map(({ at, action }): Look => {
      const kind = kindOf(action);
      return { day: utcDay(at), kind, reason: kind === "help" ? "help" : "other" };
    });
}

const kindOf = (action: string): LookKind =>
  KINDS.find(([words]) => action === words || action.startsWith(`${words} `))?.[1] ?? "change";
