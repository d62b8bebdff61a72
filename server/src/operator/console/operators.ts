import { createHash, randomBytes, randomUUID } from "node:crypto";
import { RETENTION } from "@alcove/contract/retention";
import { DAY_MS, MINUTE_MS, utcDay } from "../../platform/clock.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { AppContext } from "../../platform/context.ts";
import { HANDLE_STEP, keyIdOf } from "../../platform/keys/encryption.ts";
import * as rows from "./operators.sql.ts";
import { deleteSessionsUsedBefore } from "./sessions.sql.ts";

export const ENROLMENT_MINUTES = 30;
const TOKEN_BYTES = 32;

export interface Operator {
  readonly operatorId: string;
  readonly name: string;
}

export interface ListedOperator {
  readonly name: string;
  readonly addedOn: string;
  readonly removedOn: string | null;
  readonly passkeys: number;
}

export const digestOfToken = (token: string): Buffer => createHash("sha256").update(token).digest();

export const newToken = (): string => randomBytes(TOKEN_BYTES).toString("base64url");

/** Returns the token of a link that registers a passkey, or null for a taken name. */
export async function addOperator(ctx: AppContext, name: string): Promise<string | null> {
  const { encryption } = ctx;
  const operator_id = randomUUID();
  const keyId = encryption.keys.create();
  const encrypted_name = await encryption.encrypt(keyId, name, nameContext(operator_id), HANDLE_STEP);
  const token = await ctx.db.transaction().execute(async (tx) => {
    const isNew = await rows.insertOperator(tx, {
      operator_id,
      name_digest: nameDigest(ctx, name),
      encrypted_name,
      added_on: utcDay(ctx.clock.now()),
    });
    if (!isNew) return null;
    await encryption.keys.store(tx, keyId);
    return addEnrolment(tx, ctx, operator_id);
  });
  if (token === null) encryption.keys.forget(keyId);
  return token;
}

/** Ends the operator's passkeys and sessions. Returns the token of a new link. */
export async function resetOperator(ctx: AppContext, name: string): Promise<string | null> {
  const operator = await rows.findByName(ctx.db, nameDigest(ctx, name));
  if (!operator) return null;
  return ctx.db.transaction().execute(async (tx) => {
    await rows.deleteAccess(tx, operator.operator_id);
    return addEnrolment(tx, ctx, operator.operator_id);
  });
}

export async function removeOperator(ctx: AppContext, name: string): Promise<boolean> {
  const operator = await rows.findByName(ctx.db, nameDigest(ctx, name));
  if (!operator) return false;
  await ctx.db.transaction().execute(async (tx) => {
    await rows.deleteAccess(tx, operator.operator_id);
    await rows.setRemoved(tx, operator.operator_id, utcDay(ctx.clock.now()));
  });
  return true;
}

export async function countOperators(ctx: AppContext): Promise<number> {
  return (await rows.readOperators(ctx.db)).filter(({ removed_on }) => removed_on === null).length;
}

export async function listOperators(ctx: AppContext): Promise<ListedOperator[]> {
  const counts = await rows.countPasskeys(ctx.db);
  const found = await rows.readOperators(ctx.db);
  return Promise.all(
    found.map(async (operator) => ({
      name: await decryptName(ctx, operator),
      addedOn: operator.added_on,
      removedOn: operator.removed_on,
      passkeys: counts.get(operator.operator_id) ?? 0,
    })),
  );
}

export async function readOperatorNames(ctx: AppContext): Promise<Map<string, string>> {
  const found = await rows.readOperators(ctx.db);
  return new Map(
    await Promise.all(
      found.map(async (operator) => [operator.operator_id, await decryptName(ctx, operator)] as const),
    ),
  );
}

export async function decryptName(
  { encryption }: AppContext,
  operator: { operator_id: string; encrypted_name: Buffer },
): Promise<string> {
  return encryption.decrypt(operator.encrypted_name, nameContext(operator.operator_id));
}

export async function sweepConsole(ctx: AppContext): Promise<void> {
  const now = ctx.clock.now();
  await rows.deleteExpired(ctx.db, now);
  await deleteSessionsUsedBefore(ctx.db, new Date(now.getTime() - DAY_MS));
  const before = utcDay(new Date(now.getTime() - RETENTION.operatorLogDays * DAY_MS));
  await ctx.db.transaction().execute(async (tx) => {
    const names = await rows.deleteRemovedBefore(tx, before);
    await ctx.encryption.keys.destroy(tx, names.map(keyIdOf));
  });
}

export async function addEnrolment(tx: Tx, ctx: AppContext, operatorId: string): Promise<string> {
  const token = newToken();
  const expires_at = new Date(ctx.clock.now().getTime() + ENROLMENT_MINUTES * MINUTE_MS);
  await rows.insertEnrolment(tx, { token_digest: digestOfToken(token), operator_id: operatorId, expires_at });
  return token;
}

const nameDigest = ({ encryption }: AppContext, name: string): Buffer =>
  encryption.blindIndex(name.toLowerCase(), "operator");

const nameContext = (operatorId: string): string => `operators.encrypted_name:${operatorId}`;
