import * as z from "zod/mini";
import { call } from "./call.ts";
import { ImageFile, text, UserId, wholeNumber } from "./fields.ts";
import { MESSAGE_MAX } from "./limits.ts";
import { Party } from "./users.ts";

/**
 * One message. `clientId` is there for its sender only. `unsent` stands in the answer to a message that is sent again
 * after it was taken back, and nowhere else: no page and no live event has a message that was taken back.
 */
export const Dm = z.object({
  id: z.string(),
  sender: Party,
  receiver: Party,
  description: z.nullable(z.string()),
  /** Address of the image, or null. */
  file: z.nullable(z.string()),
  created_at: z.string(),
  clientId: z.optional(z.string()),
  unsent: z.optional(z.literal(true)),
});
export type Dm = z.infer<typeof Dm>;

const MessageId = z.uuid({ error: "invalid" });

export const getLastDms = call({
  name: "getLastDms",
  summary:
    "New matches without a message yet, and the latest message of each other conversation, newest first. `unread` are the user ids of those who wrote something that the member has not read, and of new matches that it has not looked at.",
  method: "GET",
  path: "/dm/api/last-dms",
  access: "member",
  input: z.object({}),
  response: z.object({ matches: z.array(Party), dms: z.array(Dm), unread: z.array(z.string()) }),
});

export const getDms = call({
  name: "getDms",
  summary:
    "A page of up to 100 messages, oldest first: the newest ones, those before `lastId`, or those after `afterId`. `read_id` is how far the friend has read; null when there is nothing, and unless both show it (`shows_reading`). `unsent_no` counts the messages that were taken back; asked again with it as `unsentAfter`, `unsent` are the ids of those taken back since, and `has_more` speaks of them too. Reading a page marks nothing as read.",
  method: "GET",
  path: "/dm/api/dm",
  access: "member",
  input: z.object({
    friendId: UserId,
    lastId: z.optional(z.nullable(MessageId)),
    afterId: z.optional(z.nullable(MessageId)),
    unsentAfter: z.optional(z.nullable(wholeNumber(0, 2 ** 31 - 1))),
  }),
  response: z.object({
    dms: z.array(Dm),
    has_more: z.boolean(),
    read_id: z.nullable(z.string()),
    unsent: z.array(z.string()),
    unsent_no: z.int(),
  }),
  errors: ["invalid_input", "conversation_not_found"],
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
  response: z.object({ dm: Dm }),
  errors: [
    "media_unavailable",
    "invalid_input",
    "conversation_not_found",
    "empty_message",
    "too_many_links",
    "not_an_image",
    "too_large",
    "too_many_requests",
  ],
  allowOverSocket: true,
});

export const readDm = call({
  name: "readDm",
  summary:
    "Says that the member has read a conversation up to a message. Never goes back, and never further than what the friend has written. Without `dmId`: that it has looked at a match with whom nothing was written yet, which nobody else learns.",
  method: "POST",
  path: "/dm/api/read",
  access: "member",
  input: z.object({ friendId: UserId, dmId: z.optional(z.nullable(MessageId)) }),
  response: null,
  errors: ["invalid_input", "conversation_not_found"],
  allowOverSocket: true,
});

export const getReading = call({
  name: "getReading",
  summary: "Whether the caller shows its friends how far it has read, and so sees how far they have.",
  method: "GET",
  path: "/dm/api/reading",
  access: "member",
  input: z.object({}),
  response: z.object({ shows_reading: z.boolean() }),
});

export const saveReading = call({
  name: "saveReading",
  summary:
    "Chooses whether the caller shows how far it has read. It is mutual, and holds at once for what was read before too: of two friends both see it or neither.",
  method: "PATCH",
  path: "/dm/api/reading",
  access: "member",
  input: z.object({ shows_reading: z.boolean() }),
  response: null,
  errors: ["invalid_input", "too_many_requests"],
});

export const unsendDm = call({
  name: "unsendDm",
  summary:
    "Takes a message of the caller's back, for both sides: text and image are deleted for good. Harmless to repeat.",
  method: "DELETE",
  path: "/dm/api/dm",
  access: "member",
  input: z.object({ friendId: UserId, dmId: MessageId }),
  response: null,
  errors: ["invalid_input", "conversation_not_found", "message_not_found"],
});

/** What a client may say over a socket: that it has sent a message. Harmless to repeat. */
export const Announcement = z.object({ dm_id: z.string() });

/**
 * What a client may ask over `/ws/events`, to know that the connection lives: browsers do not show their pages the
 * protocol's own pings. The server answers `{"pong": true}`.
 */
export const Ping = z.object({ ping: z.literal(true) });

/**
 * What a client may ask over `/ws/events`: a call that is `isLive`, by its name, with the fields that it would post. `no` is
 * the client's own number for it, `lang` the language of the sentences in its answer.
 */
export const AskFrame = z.object({
  ask: z.object({
    no: z.int().check(z.nonnegative()),
    call: z.string(),
    lang: z.string(),
    input: z.record(z.string(), z.unknown()),
  }),
});
export type AskFrame = z.infer<typeof AskFrame>;

/**
 * The answer to an ask, with the status and the body that the call has over HTTP; null stands for no body. `retry_after`
 * counts seconds, where HTTP says so in a header.
 */
export const AnswerFrame = z.object({
  answer: z.object({
    no: z.int(),
    status: z.int(),
    body: z.unknown(),
    retry_after: z.optional(z.int()),
    request_id: z.string(),
  }),
});
export type AnswerFrame = z.infer<typeof AnswerFrame>;

/** What the server says over `/ws/dm/{userId}`. */
export const DmFrame = z.object({ dm: Dm });

/** A friend is one no more, and the conversation with it is gone: it left, or one of the two has blocked the other. */
const LostFrame = z.object({ lost: z.object({ user_id: z.string() }) });

/**
 * `reader_id`, the member or its friend `user_id`, has read their conversation up to a message. A member's own devices
 * are told of both, of the friend's only where both show it.
 */
const ReadFrame = z.object({
  read: z.object({ user_id: z.string(), reader_id: z.string(), dm_id: z.string() }),
});

/**
 * Whether read receipts are shown has changed in the conversation with `user_id`, or in all of them (null): ask anew
 * how far was read.
 */
const ReadingFrame = z.object({ reading: z.object({ user_id: z.nullable(z.string()) }) });

/** The member has looked at its new match `user_id` on one of its devices. */
const SeenFrame = z.object({ seen: z.object({ user_id: z.string() }) });

/** A message in the conversation with `user_id` was taken back by whichever of the two had sent it. */
const UnsentFrame = z.object({ unsent: z.object({ user_id: z.string(), dm_id: z.string() }) });

/** What the server says over `/ws/events`: one thing a frame. */
export const EventFrame = z.union([
  z.object({ match: Party }),
  DmFrame,
  LostFrame,
  ReadFrame,
  ReadingFrame,
  SeenFrame,
  UnsentFrame,
  AnswerFrame,
  z.object({ pong: z.literal(true) }),
]);
export type EventFrame = z.infer<typeof EventFrame>;

/** Why the server closes a socket (decisions, section 4); `tooMany`: a member's newer ones have taken its place. */
export const closeCodes = { badToken: 4401, noMatch: 4403, tooMany: 4429, goingAway: 1001 } as const;
