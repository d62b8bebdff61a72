import type { ResponseOf } from "@alcove/contract";
import type { getLooks, Look, LookKind } from "@alcove/contract/looks";
import { readLooksAt } from "../accounts/index.ts";
import { utcDay } from "../platform/clock.ts";
import type { AppContext, MemberRef } from "../platform/context.ts";
import type { Db } from "../platform/db/database.ts";

const MONTH_LENGTH = "YYYY-MM".length;

/** By the first words of an entry in the operator log. Everything else is a change. */
const KINDS: readonly (readonly [action: string, kind: LookKind])[] = [
  ["members show", "account"],
  ["members find", "account"],
  ["members email-request", "account"],
  ["members network", "network"],
  ["cases open", "content"],
  ["cases picture", "picture"],
  ["pictures show", "picture"],
  ["age-checks", "picture"],
  ["corrections show", "account"],
  ["orders", "payments"],
  ["payouts", "payments"],
  ["help", "help"],
  ["log", "log"],
];

/** The operator's own words stay out: they may name others. */
export async function listLooks(
  { db, clock }: AppContext,
  me: MemberRef,
): Promise<ResponseOf<typeof getLooks>> {
  return { looks: await readLooks(db, me.memberId, clock.now()) };
}

/** By day. Looks of a case that led to nothing have their month only, and stand after its days. */
export async function readLooks(db: Db, memberId: number, now: Date): Promise<Look[]> {
  const entries = await readLooksAt(db, memberId, now);
  const looks = entries.map(({ at, action, isOfCase, rule }): Look => {
    const kind = kindOf(action);
    const day = utcDay(at);
    const reason = rule ?? (kind === "help" ? "help" : "other");
    return { day: isOfCase && rule === null ? day.slice(0, MONTH_LENGTH) : day, kind, reason };
  });
  return looks.toSorted((a, b) => (a.day < b.day ? 1 : a.day > b.day ? -1 : 0));
}

const kindOf = (action: string): LookKind =>
  KINDS.find(([words]) => action === words || action.startsWith(`${words} `))?.[1] ?? "change";
