import { logOperatorAction } from "../accounts/index.ts";
import type { AppContext } from "../platform/context.ts";
import { decideCorrection, listWaitingCorrections, readWaitingCorrection } from "../profiles/index.ts";
import type { Actor } from "./members.ts";

const CORRECTIONS_LISTED = 100;

export async function listCorrections(ctx: AppContext, { operatorId, reason }: Actor) {
  await logOperatorAction(ctx, "corrections list", null, reason, operatorId);
  return listWaitingCorrections(ctx, CORRECTIONS_LISTED);
}

export async function openCorrection(ctx: AppContext, { operatorId, reason }: Actor, id: string) {
  const found = await readWaitingCorrection(ctx, id);
  await logOperatorAction(ctx, `corrections show ${id}`, found, reason, operatorId);
  return found;
}

export async function decide(
  ctx: AppContext,
  { operatorId, reason }: Actor,
  id: string,
  isAccepted: boolean,
): Promise<boolean> {
  const found = await readWaitingCorrection(ctx, id);
  const action = isAccepted ? "accept" : "reject";
  await logOperatorAction(ctx, `corrections ${action} ${id}`, found, reason, operatorId);
  return found !== null && decideCorrection(ctx, found, isAccepted);
}
