import * as z from "zod/mini";
import { call } from "./call.ts";
import { ImageFile, text, UserId } from "./fields.ts";
import { MESSAGE_MAX } from "./limits.ts";
import { Party } from "./users.ts";

/** One message. `clientId` is there for its sender only. */
export const Dm = z.object({
  id: z.string(),
  sender: Party,
  receiver: Party,
  description: z.nullable(z.string()),
  /** Address of the image, or null. */
  file: z.nullable(z.string()),
  created_at: z.string(),
  clientId: z.optional(z.string()),
});
export type Dm = z.infer<typeof Dm>;

const MessageId = z.uuid({ error: "invalid" });

export const getLastDms = call({
  name: "getLastDms",
  summary:
    "New matches without a message yet, and the latest message of each other conversation, newest first.",
  method: "GET",
  path: "/dm/api/last-dms",
  access: "member",
  input: z.object({}),
  answer: z.object({ matches: z.array(Party), dms: z.array(Dm) }),
});

export const getDms = call({
  name: "getDms",
  summary:
    "A page of up to 100 messages, oldest first: the newest ones, those before `lastId`, or those after `afterId`.",
  method: "GET",
  path: "/dm/api/dm",
  access: "member",
  input: z.object({
    friendId: UserId,
    lastId: z.optional(z.nullable(MessageId)),
    afterId: z.optional(z.nullable(MessageId)),
  }),
  answer: z.object({ dms: z.array(Dm), has_more: z.boolean() }),
  refusals: ["invalid_input", "conversation_not_found"],
});

export const sendDm = call({
  name: "sendDm",
  summary:
    "Sends text, an image, or both to a match. The same `clientId` again answers the message already stored.",
  method: "POST",
  path: "/dm/api/dm",
  access: "member",
  input: z.object({
    receiverId: UserId,
    description: z.optional(z.nullable(text(MESSAGE_MAX))),
    file: z.optional(z.nullable(ImageFile)),
    clientId: z.optional(z.nullable(z.uuid({ error: "invalid" }))),
  }),
  answer: z.object({ dm: Dm }),
  refusals: [
    "media_unavailable",
    "invalid_input",
    "conversation_not_found",
    "empty_message",
    "too_many_links",
    "not_an_image",
    "too_large",
    "too_many_requests",
  ],
});

/** What a client may say over a socket: that it has sent a message. Harmless to repeat. */
export const Announcement = z.object({ dm_id: z.string() });

/** What the server says over `/ws/dm/{userId}`. */
export const DmFrame = z.object({ dm: Dm });

/** A friend is one no more, and the conversation with it is gone: it left, or one of the two has blocked the other. */
const LostFrame = z.object({ lost: z.object({ user_id: z.string() }) });

/** What the server says over `/ws/events`: one thing a frame. */
export const EventFrame = z.union([z.object({ match: Party }), DmFrame, LostFrame]);
export type EventFrame = z.infer<typeof EventFrame>;

/** Why the server closes a socket (decisions, section 4); `tooMany`: a member's newer ones have taken its place. */
export const closeCodes = { badToken: 4401, noMatch: 4403, tooMany: 4429, goingAway: 1001 } as const;
