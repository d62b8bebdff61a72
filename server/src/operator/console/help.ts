import type { ParsedOf, ResponseOf } from "@alcove/contract";
import type { answerHelp, getHelpQueue, openHelp as openHelpCall } from "@alcove/contract/console-help";
import type { AppContext } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import { listHelp, replyToHelp, showHelp } from "../help.ts";
import type { Actor } from "../members.ts";
import type { Operator } from "./operators.ts";

const actorOf = ({ operatorId }: Operator): Actor => ({ operatorId, reason: null });

export async function readQueue(ctx: AppContext, me: Operator): Promise<ResponseOf<typeof getHelpQueue>> {
  return { threads: await listHelp(ctx, actorOf(me)) };
}

export async function openHelp(
  ctx: AppContext,
  me: Operator,
  id: string,
): Promise<ResponseOf<typeof openHelpCall>> {
  const found = await showHelp(ctx, actorOf(me), id);
  if (!found) throw new ApiError("not_found");
  return { id: found.id, user_id: found.userId, messages: found.messages };
}

/** Without a text the thread is closed. */
export async function reply(
  ctx: AppContext,
  me: Operator,
  { id, text = null }: Pick<ParsedOf<typeof answerHelp>, "id"> & { text?: string | null },
): Promise<void> {
  if (!(await replyToHelp(ctx, actorOf(me), { id, text }))) throw new ApiError("not_found");
}
