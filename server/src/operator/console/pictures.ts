import type { ParsedOf, ResponseOf } from "@alcove/contract";
import type {
  getNewPictures,
  openPicture as openPictureCall,
  removeNewPicture as removeNewPictureCall,
} from "@alcove/contract/console-pictures";
import type { AppContext } from "../../platform/context.ts";
import { ApiError } from "../../platform/errors.ts";
import type { Actor } from "../members.ts";
import { approvePicture, listPictures, removePicture, showPicture } from "../pictures.ts";
import type { Operator } from "./operators.ts";

const actorOf = ({ operatorId }: Operator): Actor => ({ operatorId, reason: null });

export async function readPictures(
  ctx: AppContext,
  me: Operator,
): Promise<ResponseOf<typeof getNewPictures>> {
  const pictures = await listPictures(ctx, actorOf(me));
  return { pictures: pictures.map(({ id, on, risk, isWaiting }) => ({ id, on, risk, waits: isWaiting })) };
}

export async function openPicture(
  ctx: AppContext,
  me: Operator,
  id: string,
): Promise<ResponseOf<typeof openPictureCall>> {
  const shown = await showPicture(ctx, actorOf(me), id);
  if (!shown) throw new ApiError("not_found");
  return { user_id: shown.userId, jpeg: shown.jpeg.toString("base64") };
}

export async function approve(ctx: AppContext, me: Operator, id: string): Promise<void> {
  if (!(await approvePicture(ctx, actorOf(me), id))) throw new ApiError("not_found");
}

export async function remove(
  ctx: AppContext,
  { operatorId }: Operator,
  { id, rule, reason }: ParsedOf<typeof removeNewPictureCall>,
): Promise<void> {
  if (!(await removePicture(ctx, { operatorId, reason }, { id, rule, reason })))
    throw new ApiError("not_found");
}
