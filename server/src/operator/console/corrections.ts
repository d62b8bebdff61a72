import type { ParsedOf, ResponseOf } from "@alcove/contract";
import type {
  decideCorrection as decideCorrectionCall,
  getCorrections as getCorrectionsCall,
  openCorrection as openCorrectionCall,
} from "@alcove/contract/console-corrections";
import type { AppContext } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import * as corrections from "../corrections.ts";
import type { Actor } from "../members.ts";
import type { Operator } from "./operators.ts";

const actorOf = ({ operatorId }: Operator): Actor => ({ operatorId, reason: null });

export async function getCorrections(
  ctx: AppContext,
  me: Operator,
): Promise<ResponseOf<typeof getCorrectionsCall>> {
  return { corrections: await corrections.listCorrections(ctx, actorOf(me)) };
}

export async function openCorrection(
  ctx: AppContext,
  me: Operator,
  id: string,
): Promise<ResponseOf<typeof openCorrectionCall>> {
  const found = await corrections.openCorrection(ctx, actorOf(me), id);
  if (!found) throw new ApiError("case_taken");
  const { on, userId: user_id, field, now, value: wanted, reason } = found;
  return { correction: { id, on, user_id, field, now, wanted, reason } };
}

export async function decideCorrection(
  ctx: AppContext,
  me: Operator,
  { id, outcome }: ParsedOf<typeof decideCorrectionCall>,
): Promise<void> {
  if (!(await corrections.decide(ctx, actorOf(me), id, outcome === "done"))) throw new ApiError("case_taken");
}
