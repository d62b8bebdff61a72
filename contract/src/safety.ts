import * as z from "zod/mini";
import { call } from "./call.ts";
import { UserId } from "./fields.ts";
import { Party } from "./users.ts";

export const blockUser = call({
  name: "blockUser",
  summary: "Blocks a member: ends the match, hides the chat on both sides and cuts its sockets.",
  method: "POST",
  path: "/users/api/block",
  access: "member",
  input: z.object({ userId: UserId }),
  answer: null,
  refusals: ["invalid_input", "user_not_found", "cannot_block_yourself"],
});

export const unblockUser = call({
  name: "unblockUser",
  summary: "Takes a block back. Match and chat stay ended; the two may meet again after 90 days.",
  method: "DELETE",
  path: "/users/api/block",
  access: "member",
  input: z.object({ userId: UserId }),
  answer: null,
  refusals: ["invalid_input", "user_not_found"],
});

export const getBlocks = call({
  name: "getBlocks",
  summary: "The members the caller has blocked, newest first.",
  method: "GET",
  path: "/users/api/blocks",
  access: "member",
  input: z.object({}),
  answer: z.object({ users: z.array(Party) }),
});
