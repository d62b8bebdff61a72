import type { ParsedOf, ResponseOf } from "@alcove/contract";
import type {
  decideAgeCheck as decideAgeCheckCall,
  getAgeChecks as getAgeChecksCall,
  openAgeCheck as openAgeCheckCall,
} from "@alcove/contract/console";
import type { AppContext } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import { decideCheck, listChecks, openCheck } from "../age-checks.ts";
import type { Actor } from "../members.ts";
import type { Operator } from "./operators.ts";

const actorOf = ({ operatorId }: Operator): Actor => ({ operatorId, reason: null });

export async function getAgeChecks(
  ctx: AppContext,
  me: Operator,
): Promise<ResponseOf<typeof getAgeChecksCall>> {
  return { checks: await listChecks(ctx, actorOf(me)) };
}

export async function openAgeCheck(
  ctx: AppContext,
  me: Operator,
  id: string,
): Promise<ResponseOf<typeof openAgeCheckCall>> {
  const opened = await openCheck(ctx, actorOf(me), id);
  if (!opened) throw new ApiError("case_taken");
  const { on, userId: user_id, dateOfBirth: date_of_birth, jpeg } = opened;
  return { check: { id, on, user_id, date_of_birth, jpeg: jpeg.toString("base64") } };
}

export async function decideAgeCheck(
  ctx: AppContext,
  me: Operator,
  { id, outcome }: ParsedOf<typeof decideAgeCheckCall>,
): Promise<void> {
  if (!(await decideCheck(ctx, actorOf(me), id, outcome))) throw new ApiError("case_taken");
}
