import { getOptions, likeUser, passUser } from "@alcove/contract/discovery";
import { type Dm, sendDm } from "@alcove/contract/messaging";
import { blockUser } from "@alcove/contract/safety";
import type { TestMember } from "./test-service.ts";

export const like = (who: TestMember, whom: TestMember) => who.call(likeUser, { likedId: whom.user_id });
export const pass = (who: TestMember, whom: TestMember) => who.call(passUser, { unlikedId: whom.user_id });
export const block = (who: TestMember, whom: TestMember) => who.call(blockUser, { userId: whom.user_id });

/** The user ids of the candidates that the member is offered. */
export const shownTo = async (who: TestMember): Promise<string[]> =>
  (await who.call(getOptions, {})).options.map(({ user_id }) => user_id);

export const write = async (
  from: TestMember,
  to: TestMember,
  description = "Good evening.",
  more: { file?: File; replyId?: string } = {},
): Promise<Dm> => (await from.call(sendDm, { receiverId: to.user_id, description, ...more })).dm;
