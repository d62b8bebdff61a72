import type { Term } from "@alcove/contract/calendar";
import { parseTimeZone } from "@alcove/contract/time-zone";
import type { User } from "@alcove/contract/users";

/** An older browser may not know the zone of the first purchase. It shows the term in its own. */
export function termOf({ paid_account_term: term }: Pick<User, "paid_account_term">): Term | null {
  if (!term) return null;
  const deviceZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const timeZone = parseTimeZone(term.time_zone) ?? deviceZone;
  return { start: new Date(term.started_at), months: term.months, timeZone };
}
