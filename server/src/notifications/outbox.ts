import { randomUUID } from "node:crypto";
import { AWAY_HOURS } from "@alcove/contract/limits";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "../platform/clock.ts";
import type { Tx } from "../platform/db/database.ts";
import type { Deps, Me } from "../platform/context.ts";
import * as rows from "./outbox.sql.ts";
import * as notices from "./preferences.sql.ts";

const AT_ONCE = 200;
/** So long a member who has the app open has to see what came, before its devices are told. */
const LOOKING_MS = 10 * SECOND_MS;
/** Devices whose member has seen nothing since are told again no sooner. */
export const PAUSE_MS = 5 * MINUTE_MS;
/** So long a member has been away before a letter is due. */
export const AWAY_MS = AWAY_HOURS * HOUR_MS;

/**
 * Writes down, in the transaction of messages or of a match, that there is something to tell each of these members, as
 * often as they are named; nothing for whom nothing tells.
 */
export async function queueNews(tx: Tx, nos: readonly number[], kind: "message" | "match"): Promise<void> {
  await rows.insertNews(
    tx,
    nos.map((no) => ({ member_no: no, news_id: randomUUID() })),
    kind,
  );
}

/**
 * Turns what was written down into what is due. One process takes what waits for a member, in one transaction, so that
 * nothing is lost or counted twice when that process dies.
 */
export async function gatherNews(deps: Deps): Promise<void> {
  for (;;) {
    const members = await rows.membersWithNews(deps.db, AT_ONCE);
    let gathered = 0;
    for (const no of members) gathered += await gatherOf(deps, no);
    // What is left is another process's.
    if (members.length < AT_ONCE || gathered === 0) return;
  }
}

async function gatherOf(deps: Deps, no: number): Promise<number> {
  return deps.db.transaction().execute(async (tx) => {
    const notice = await notices.lockFreeNotice(tx, no);
    if (!notice) return 0;
    const taken = await rows.takeNews(tx, no);
    if (taken.length === 0 || !notice.listens) return taken.length;
    const now = deps.clock.now().getTime();
    const pauseEnd = notice.pushed_at ? notice.pushed_at.getTime() + PAUSE_MS : 0;
    await notices.updateNotice(tx, no, {
      heard: notice.heard + taken.length,
      with_match: notice.with_match || taken.includes("match"),
      push_due_at: notice.push
        ? (notice.push_due_at ?? new Date(Math.max(now + LOOKING_MS, pauseEnd)))
        : null,
      letter_due_at: notice.digest ? (notice.letter_due_at ?? new Date(now + AWAY_MS)) : null,
    });
    return taken.length;
  });
}

/** The app is open before the member's eyes: nothing of what came until now needs to be told. */
export async function sawNews(deps: Deps, me: Me): Promise<{ listens: boolean }> {
  const known = await notices.readNotice(deps.db, me.no);
  if (!known?.listens) return { listens: false };
  await deps.db.transaction().execute(async (tx) => {
    const notice = await notices.lockNotice(tx, me.no);
    if (!notice) return;
    await rows.takeNews(tx, me.no);
    await notices.updateNotice(tx, me.no, {
      seen: notice.heard,
      with_match: false,
      push_due_at: null,
      pushed_at: null,
      letter_due_at: null,
    });
  });
  return { listens: true };
}
