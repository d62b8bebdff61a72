import { calls, type Call } from "@alcove/contract";
import { buildRequest } from "@alcove/contract/request";
import type { TestMember } from "../../src/testing/test-service.ts";

/** Further fields of each call of a member that names another member. */
export const NAMING: Record<string, Record<string, unknown>> = {
  getUser: {},
  likeUser: {},
  passUser: {},
  neverAgain: {},
  takeBackLike: {},
  blockUser: {},
  unblockUser: {},
  reportUser: { reason: "other", detail: "something" },
  pressThreat: { hide: true },
  showClearIcon: {},
  hideClearIcon: {},
  getDms: {},
  sendDm: { description: "Good evening." },
  readDm: {},
  showTyping: {},
  muteConversation: { muted: true },
  unsendDm: { dmId: "01890a5d-ac96-774b-bcce-b302099a8057" },
  unmatch: {},
  saveConversation: { pictures: false },
  getOptions: {},
};
const FIELDS = ["userId", "likedId", "unlikedId", "friendId", "receiverId", "ids"];

/** The field that names the other member. */
const fieldOf = ({ input }: Call) => FIELDS.find((field) => field in input._zod.def.shape);

/** Returns name, status and body. */
export async function respondToName(member: TestMember, call: Call, userId: string): Promise<string> {
  const input = { ...NAMING[call.name], [fieldOf(call)!]: userId };
  const { path, ...request } = buildRequest(call, input as never);
  const response = await member.fetch(path, request);
  return `${call.name} ${response.status} ${await response.text()}`;
}

export const namingCalls = calls.filter((call) => call.access === "member" && fieldOf(call) !== undefined);
