import { logOperatorAction } from "../accounts/index.ts";
import { findUserId } from "../members/user-ids.ts";
import type { AppContext, MemberRef } from "../platform/context.ts";
import { answerHelp, findHelpOwner, listOpenHelp, readHelp } from "../support/index.ts";
import type { Actor } from "./members.ts";

const MAX_LISTED = 200;

export async function listHelp(ctx: AppContext, { operatorId, reason }: Actor) {
  await logOperatorAction(ctx, "help list", null, reason, operatorId);
  return listOpenHelp(ctx, MAX_LISTED);
}

export async function showHelp(ctx: AppContext, by: Actor, id: string) {
  const owner = await findAndLog(ctx, by, "help show", id);
  const userId = owner && (await findUserId(ctx.db, ctx.encryption, owner.memberId));
  if (!owner || !userId) return null;
  const { messages } = await readHelp(ctx, owner);
  return { id: messages.at(-1)?.id ?? id, userId, messages };
}

/**
 * Replies, or closes the thread if `text` is null. Returns false for an unknown message.
 *
 * @throws conflict unless `id` is the newest message
 */
export async function replyToHelp(
  ctx: AppContext,
  by: Actor,
  { id, text }: { id: string; text: string | null },
): Promise<boolean> {
  const owner = await findAndLog(ctx, by, text === null ? "help close" : "help answer", id);
  if (owner) await answerHelp(ctx, owner, { id, text });
  return owner !== null;
}

async function findAndLog(
  ctx: AppContext,
  { operatorId, reason }: Actor,
  action: string,
  id: string,
): Promise<MemberRef | null> {
  const memberId = await findHelpOwner(ctx, id);
  const owner = memberId === null ? null : { memberId };
  await logOperatorAction(ctx, action, owner, reason, operatorId);
  return owner;
}
