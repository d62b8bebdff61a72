import { SECOND_MS } from "../../platform/clock.ts";
import type { AppContext, CurrentMember } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import { findCurrentMember } from "./sessions.ts";
import { shareLockSession } from "./sessions.sql.ts";
import * as rows from "./tickets.sql.ts";
import { digestOf, makeRandomToken } from "./tokens.ts";

const TICKET_MS = 30 * SECOND_MS;

/** What a ticket is good for: one is never taken for the other. */
type Purpose = "socket" | "file";

const ticketDigest = (purpose: Purpose, ticket: string): Buffer => digestOf(`${purpose}.${ticket}`);

/** A ticket that opens one socket, or fetches one file, so that no long-lived token stands in an address. */
export async function createTicket(
  ctx: AppContext,
  me: CurrentMember,
  purpose: Purpose,
): Promise<{ ticket: string }> {
  const ticket = makeRandomToken();
  const expires_at = new Date(ctx.clock.now().getTime() + TICKET_MS);
  await ctx.db.transaction().execute(async (tx) => {
    // A deletion that comes first leaves no session to give one for; one that comes after finds the ticket.
    if (!(await shareLockSession(tx, me.session))) throw new ApiError("login_required");
    await rows.insertTicket(tx, {
      ticket_digest: ticketDigest(purpose, ticket),
      session_id: me.session,
      expires_at,
    });
  });
  return { ticket };
}

/** Who a socket's ticket belongs to; null when it was used, is too old, or its session has ended. Uses it up. */
export async function redeemTicket(ctx: AppContext, ticket: string): Promise<CurrentMember | null> {
  return redeem(ctx, "socket", ticket);
}

/** Makes what a file's ticket is changed into its member by. */
export function createFileTicketRedeemer(deps: TicketDeps): (ticket: string) => Promise<CurrentMember> {
  return async (ticket) => {
    const me = await redeem(deps, "file", ticket);
    if (!me) throw new ApiError("login_required");
    return me;
  };
}

type TicketDeps = Pick<AppContext, "db" | "clock">;

async function redeem(
  { db, clock }: TicketDeps,
  purpose: Purpose,
  ticket: string,
): Promise<CurrentMember | null> {
  const now = clock.now();
  const session = await rows.useTicket(db, ticketDigest(purpose, ticket), now);
  return session === null ? null : findCurrentMember(db, session, now);
}
