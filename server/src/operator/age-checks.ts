import {
  type AgeCheckOutcome,
  decideAgeCheck,
  listAgeChecks,
  logOperatorAction,
  readDocument,
  readWaitingAgeCheck,
} from "../accounts/index.ts";
import type { AppContext } from "../platform/context.ts";
import type { Actor } from "./members.ts";

const AGE_CHECKS_LISTED = 100;

export async function listChecks(ctx: AppContext, { operatorId, reason }: Actor) {
  await logOperatorAction(ctx, "age-checks list", null, reason, operatorId);
  return listAgeChecks(ctx, AGE_CHECKS_LISTED);
}

export async function openCheck(ctx: AppContext, { operatorId, reason }: Actor, id: string) {
  const check = await readWaitingAgeCheck(ctx, id);
  await logOperatorAction(ctx, `age-checks open ${id}`, check, reason, operatorId);
  const jpeg = check && (await readDocument(ctx, id));
  return jpeg && { ...check, jpeg };
}

export async function decideCheck(
  ctx: AppContext,
  { operatorId, reason }: Actor,
  id: string,
  outcome: AgeCheckOutcome,
): Promise<boolean> {
  const check = await readWaitingAgeCheck(ctx, id);
  await logOperatorAction(ctx, `age-checks ${outcome} ${id}`, check, reason, operatorId);
  return check !== null && decideAgeCheck(ctx, id, outcome);
}
