import * as z from "zod/mini";
import { call } from "./call.ts";
import { choice, fillable, text, UserId } from "./fields.ts";
import { REPORT_MAX } from "./limits.ts";
import { Party } from "./users.ts";

export const reportReasons = ["fake", "harassment", "spam", "underage", "other"] as const;
export type ReportReason = (typeof reportReasons)[number];

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

export const reportUser = call({
  name: "reportUser",
  summary:
    "Tells the operator of a member, one that has blocked the caller too; `dmId` names a message of that member's to the caller. The same report again is one.",
  method: "POST",
  path: "/users/api/report",
  access: "member",
  input: z.object({
    userId: UserId,
    reason: choice(reportReasons),
    detail: fillable(text(REPORT_MAX)),
    dmId: fillable(z.uuid({ error: "invalid" })),
  }),
  answer: null,
  refusals: ["invalid_input", "user_not_found", "cannot_report_yourself", "too_many_requests"],
});
