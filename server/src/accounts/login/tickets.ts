import type { ResponseOf } from "@alcove/contract/call";
import type { logInWithCode as logInWithCodeCall } from "@alcove/contract/accounts";
import type { Language } from "@alcove/i18n";
import { SECOND_MS, MINUTE_MS } from "../../platform/clock.ts";
import type { AppContext, CurrentMember } from "../../platform/context.ts";
import type { Tx } from "../../platform/db/database.ts";
import { ApiError } from "../../platform/errors.ts";
import { networkOf } from "../../platform/security/client-network.ts";
import { findCurrentMember, openSession, requireScope, type SessionDeps } from "./sessions.ts";
import { shareLockSession } from "./sessions.sql.ts";
import * as rows from "./tickets.sql.ts";
import { digestOf, makeRandomToken } from "./tokens.ts";

const LOGIN_CODES_PER_NETWORK = {
  name: "login_codes_per_network",
  max: 60,
  windowMs: 15 * MINUTE_MS,
};

/** A ticket of one purpose is invalid for the others. */
const TICKET_MS = { socket: 30 * SECOND_MS, file: 30 * SECOND_MS, login: 60 * SECOND_MS };
type Purpose = keyof typeof TICKET_MS;

const ticketDigest = (purpose: Purpose, ticket: string): Buffer => digestOf(`${purpose}.${ticket}`);

/** URLs contain no long-lived token. */
export async function createTicket(
  ctx: AppContext,
  me: CurrentMember,
  purpose: Purpose,
): Promise<{ ticket: string }> {
  const ticket = makeRandomToken();
  const expires_at = new Date(ctx.clock.now().getTime() + TICKET_MS[purpose]);
  await ctx.db.transaction().execute(async (tx) => {
    // The lock orders this against the member's deletion, which also deletes their tickets.
    if (!(await shareLockSession(tx, me))) throw new ApiError("login_required");
    await rows.insertTicket(tx, {
      ticket_digest: ticketDigest(purpose, ticket),
      member_no: me.memberId,
      session_id: me.session,
      expires_at,
    });
  });
  return { ticket };
}

/**
 * Marks the ticket as used. Returns null if it is unknown, expired or used, or its session has ended. Suspended members
 * have no sockets.
 */
export async function redeemTicket(ctx: AppContext, ticket: string): Promise<CurrentMember | null> {
  const me = await redeem(ctx, "socket", ticket);
  return me?.isSuspended === true ? null : me;
}

export function createFileTicketRedeemer(deps: SessionDeps): AppContext["redeemFileTicket"] {
  return async (ticket, scopes) => {
    const me = await redeem(deps, "file", ticket);
    if (!me) throw new ApiError("login_required");
    requireScope(me, scopes);
    return me;
  };
}

/**
 * Logs the system's browser in for the native app, for purchases only. Of several parallel calls, one gets a session.
 */
export async function logInWithCode(
  ctx: AppContext,
  code: string,
  { ip, userAgent, lang: language }: { ip: string; userAgent: string; lang: Language },
): Promise<ResponseOf<typeof logInWithCodeCall>> {
  await ctx.rateLimits.consume(LOGIN_CODES_PER_NETWORK, networkOf(ip));
  const app = await redeem(ctx, "login", code);
  if (!app || app.isSuspended) throw new ApiError("login_required");
  const recheck = async (tx: Tx) => {
    if (!(await shareLockSession(tx, app))) throw new ApiError("login_required");
  };
  const opening = { userAgent, recheck, parent: app.session, language };
  const { access, refresh } = await openSession(ctx, app.memberId, opening);
  return { access, refresh, user_id: app.userId };
}

async function redeem(deps: SessionDeps, purpose: Purpose, ticket: string): Promise<CurrentMember | null> {
  const key = await rows.useTicket(deps.db, ticketDigest(purpose, ticket), deps.clock.now());
  return key && findCurrentMember(deps, key);
}
