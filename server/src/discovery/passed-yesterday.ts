import type { Party } from "@alcove/contract/users";
import { HOUR_MS } from "../platform/clock.ts";
import type { AppContext, Viewer } from "../platform/context.ts";
import { loadPeople, presentParty } from "../profiles/index.ts";
import { isHiddenFrom } from "../safety/index.ts";
import * as rows from "./last-verdicts.sql.ts";
import { hasPass } from "./verdicts.sql.ts";

/** Two card days are longer. */
const LONGEST_DAY_MS = 44 * HOUR_MS;

export function isCardPassedYesterday(
  { liked, card_fingerprint, day_start }: rows.LastVerdict,
  dayStart: Date,
): boolean {
  const ageMs = dayStart.getTime() - day_start.getTime();
  return !liked && card_fingerprint !== null && ageMs > 0 && ageMs <= LONGEST_DAY_MS;
}

export async function presentPassedYesterday(
  ctx: AppContext,
  me: Viewer,
  dayStart: Date,
): Promise<Party | null> {
  const last = await rows.readLastVerdict(ctx.db, me.memberId);
  if (!last || last.is_undone || !isCardPassedYesterday(last, dayStart)) return null;
  const { target, sequence_no } = last;
  if (!(await hasPass(ctx.db, { actor: me.memberId, target, sequence_no }))) return null;
  const person = (await loadPeople(ctx, [target])).get(target);
  if (await isHiddenFrom(ctx, me.memberId, target)) return null;
  return person?.isSuspended === false ? presentParty(ctx, me, person) : null;
}
