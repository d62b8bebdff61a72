import { HOUR_MS, MINUTE_MS } from "../../platform/clock.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { AppContext } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import { decryptName, digestOfToken, newToken, type Operator } from "./operators.ts";
import * as rows from "./sessions.sql.ts";

const IDLE_MINUTES = 15;
const SESSION_HOURS = 8;

export async function openSession(tx: Tx, ctx: AppContext, operatorId: string): Promise<string> {
  const token = newToken();
  const now = ctx.clock.now();
  await rows.insertSession(tx, {
    session_digest: digestOfToken(token),
    operator_id: operatorId,
    opened_at: now,
    used_at: now,
  });
  return token;
}

/** Throws `login_required` without a session, after 15 minutes without a request, and 8 hours after the login. */
export async function authenticateOperator(ctx: AppContext, token: string | null): Promise<Operator> {
  const now = ctx.clock.now();
  const session =
    token &&
    (await rows.touchSession(ctx.db, digestOfToken(token), {
      now,
      openedAfter: new Date(now.getTime() - SESSION_HOURS * HOUR_MS),
      usedAfter: new Date(now.getTime() - IDLE_MINUTES * MINUTE_MS),
    }));
  if (!session) throw new ApiError("login_required");
  const { operatorId, encryptedName } = session;
  const name = await decryptName(ctx, { operator_id: operatorId, encrypted_name: encryptedName });
  return { operatorId, name };
}

/** @param token of the session that stays */
export async function endOtherSessions(tx: Tx, { operatorId }: Operator, token: string): Promise<void> {
  await rows.deleteSessionsExcept(tx, operatorId, digestOfToken(token));
}

export async function endSession(ctx: AppContext, token: string): Promise<void> {
  await rows.deleteSession(ctx.db, digestOfToken(token));
}
