import { SECOND_MS } from "../platform/clock.ts";
import type { Deps, Me } from "../platform/deps.ts";
import { refuse } from "../platform/refuse.ts";
import { findMe } from "./sessions.ts";
import { holdSession } from "./sessions.sql.ts";
import * as rows from "./tickets.sql.ts";
import { digestOf, makeSecretMark } from "./tokens.ts";

const TICKET_MS = 30 * SECOND_MS;

/** A ticket that opens one socket, so that no long-lived token stands in an address. */
export async function giveTicket(deps: Deps, me: Me): Promise<{ ticket: string }> {
  const ticket = makeSecretMark();
  const expires_at = new Date(deps.clock.now().getTime() + TICKET_MS);
  await deps.db.transaction().execute(async (tx) => {
    // A deletion that comes first leaves no session to give one for; one that comes after finds the ticket.
    if (!(await holdSession(tx, me.session))) throw refuse("login_required");
    await rows.insertTicket(tx, { ticket_digest: digestOf(ticket), session_id: me.session, expires_at });
  });
  return { ticket };
}

/** Who a ticket belongs to; null when it was used, is too old, or its session has ended. Using it up happens here. */
export async function redeemTicket(deps: Deps, ticket: string): Promise<Me | null> {
  const now = deps.clock.now();
  const session = await rows.takeTicket(deps.db, digestOf(ticket), now);
  return session === null ? null : findMe(deps.db, session, now);
}
