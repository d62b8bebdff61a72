import * as z from "zod/mini";
import { call } from "./call.ts";
import { READ, write } from "./costs.ts";
import { ImageFile, text, UserId, VoiceFile, wholeNumber } from "./fields.ts";
import { MESSAGE_MAX, NOTE_ID_MAX, VOICE_TEXT_MAX } from "./limits.ts";
import { MatchDay, Party } from "./users.ts";

/** The start of the message or note that a reply quotes. `is_note`: `id` is that of a post of `sender_id`. */
export const Quote = z.object({
  id: z.string(),
  sender_id: z.string(),
  description: z.nullable(z.string()),
  has_image: z.boolean(),
  has_voice: z.optional(z.literal(true)),
  is_note: z.optional(z.literal(true)),
});
export type Quote = z.infer<typeof Quote>;

export const REACTIONS = ["heart", "laugh", "wow", "sad", "thanks", "yes"] as const;
export type ReactionName = (typeof REACTIONS)[number];

const ReactionName = z.enum(REACTIONS, { error: "invalid" });

/** That of the match stands before the caller's. */
const Reaction = z.object({ reaction: ReactionName, mine: z.boolean() });
export type Reaction = z.infer<typeof Reaction>;

/**
 * `clientId` goes to the sender only. `unsent` marks the response to a repeated send of an unsent message. `reply` is missing once the
 * quoted message is unsent. `voice` is the path of a WAV file; `voice_peaks` are its loudest places in equal parts, from 0 to 15.
 */
export const Dm = z.object({
  id: z.string(),
  sender: Party,
  receiver: Party,
  description: z.nullable(z.string()),
  file: z.nullable(z.string()),
  voice: z.nullable(z.string()),
  voice_seconds: z.nullable(z.number()),
  voice_text: z.optional(z.nullable(z.string())),
  voice_peaks: z.optional(z.array(z.int())),
  created_at: z.string(),
  reactions: z.array(Reaction),
  clientId: z.optional(z.string()),
  reply: z.optional(Quote),
  unsent: z.optional(z.literal(true)),
});
export type Dm = z.infer<typeof Dm>;

const MessageId = z.uuid({ error: "invalid" });

/** A message that its sender took back, and that the caller may still report. */
const TakenBack = z.object({ id: z.string(), created_at: z.string(), seconds_left: z.int() });
export type TakenBack = z.infer<typeof TakenBack>;

const listed = {
  /** Both were silent for 14 days, and the caller has not opened it since. */
  resting: z.boolean(),
  /** The last message is the match's, and the conversation does not rest. */
  my_turn: z.boolean(),
  pictures: z.boolean(),
  /** Whether the caller wants the match's pictures. */
  accepts_pictures: z.boolean(),
};

const Match = z.extend(Party, { matched_on: MatchDay, ...listed });
export type Match = z.infer<typeof Match>;

const ListedDm = z.extend(Dm, listed);
export type ListedDm = z.infer<typeof ListedDm>;

/** A match that the caller did not end. `goodbye` is the number of a sentence. */
export const EndedMatch = z.object({
  id: z.string(),
  matched_on: MatchDay,
  ended_on: MatchDay,
  goodbye: z.nullable(z.int()),
});
export type EndedMatch = z.infer<typeof EndedMatch>;

export const getLastDms = call({
  name: "getLastDms",
  method: "GET",
  path: "/dm/api/last-dms",
  access: "member",
  summary:
    "Returns new matches without a message yet, and the latest message of each other conversation, newest first. The `description` of a voice note without text is the word for it. `unread` lists the user ids with unread messages, and those of new matches that the member has not opened. `muted` lists those without notifications. `ended` lists matches that the caller did not end, for 30 days, 7 after a deletion, without name and reason.",
  costs: READ,
  input: z.object({}),
  response: z.object({
    matches: z.array(Match),
    dms: z.array(ListedDm),
    unread: z.array(z.string()),
    muted: z.array(z.string()),
    ended: z.array(EndedMatch),
  }),
});

export const removeEnded = call({
  name: "removeEnded",
  summary: "Removes a row of `ended`.",
  method: "DELETE",
  path: "/dm/api/ended",
  access: "member",
  costs: write("removed_ended_matches"),
  input: z.object({ id: z.uuid({ error: "invalid" }) }),
  response: null,
  errors: ["invalid_input", "not_found"],
});

export const getDms = call({
  name: "getDms",
  method: "GET",
  path: "/dm/api/dm",
  access: "member",
  summary:
    "Returns a page of up to 100 messages, oldest first: the newest ones, those before `lastId`, or those after `afterId`. `read_id` is the last message that the match has read; null if there is none, or unless both members show read receipts (`shows_reading`). `unsent_no` counts unsent messages and changed reactions. With that number as `unsentAfter`, `unsent` lists the ids unsent since, `reacted` the messages whose reactions changed since, and `has_more` covers both too. `taken_back` lists messages that the match took back and the caller may still report by their id, newest first. Loading a page marks nothing as read.",
  costs: READ,
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
    reacted: z.array(z.object({ id: z.string(), reactions: z.array(Reaction) })),
    unsent_no: z.int(),
    taken_back: z.array(TakenBack),
  }),
  errors: ["invalid_input", "conversation_not_found"],
});

export const sendDm = call({
  name: "sendDm",
  method: "POST",
  path: "/dm/api/dm",
  access: "member",
  summary:
    "Sends text, and an image or a voice note, or one of them to a match. `voice` is a WAV file (PCM, 16 bit) of at most 60 seconds and 2 MB, `voice_text` says the same in writing. The same `clientId` again returns the stored message. `replyId` names a message of the conversation to quote, `postId` a note of the receiver; one that is missing, unsent or hidden is ignored, so that the text still arrives.",
  needsAgeCheck: true,
  costs: write("messages"),
  input: z.object({
    receiverId: UserId,
    description: z.optional(z.nullable(text(MESSAGE_MAX))),
    file: z.optional(z.nullable(ImageFile)),
    voice: z.optional(z.nullable(VoiceFile)),
    voice_text: z.optional(z.nullable(text(VOICE_TEXT_MAX))),
    clientId: z.optional(z.nullable(z.uuid({ error: "invalid" }))),
    replyId: z.optional(z.nullable(MessageId)),
    postId: z.optional(z.nullable(text(NOTE_ID_MAX))),
  }),
  response: z.object({ dm: Dm }),
  errors: [
    "media_unavailable",
    "invalid_input",
    "conversation_not_found",
    "empty_message",
    "too_many_links",
    "pictures_unwanted",
    "not_an_image",
    "not_a_voice_note",
    "voice_too_long",
    "too_large",
    "too_many_requests",
  ],
});

export const readDm = call({
  name: "readDm",
  method: "POST",
  path: "/dm/api/read",
  access: "member",
  keepalive: true,
  summary:
    "Marks a conversation as read up to a message of the match; the mark never moves back. Without `dmId` it marks a new match as opened, which only the caller's devices learn.",
  costs: write("read_marks", { max: 120, batch: 10 }),
  input: z.object({ friendId: UserId, dmId: z.optional(z.nullable(MessageId)) }),
  response: null,
  errors: ["invalid_input", "conversation_not_found"],
});

export const showTyping = call({
  name: "showTyping",
  summary:
    "Shows a match for a few seconds that the caller is typing, if both show typing (`shows_typing`). The response does not reveal whether the match does. Nothing is stored.",
  method: "POST",
  path: "/dm/api/typing",
  access: "member",
  costs: write("typing", { batch: 10 }),
  input: z.object({ friendId: UserId }),
  response: null,
  errors: ["invalid_input", "conversation_not_found", "too_many_requests"],
});

export const muteConversation = call({
  name: "muteConversation",
  method: "PATCH",
  path: "/dm/api/mute",
  access: "member",
  showsEverywhere: true,
  summary: "Stops or resumes notifications from the conversation with a match. The match does not learn it.",
  costs: write("notification_changes", { per: "hour" }),
  input: z.object({ friendId: UserId, muted: z.boolean() }),
  response: null,
  errors: ["invalid_input", "conversation_not_found", "too_many_requests"],
});

export const saveConversation = call({
  name: "saveConversation",
  summary:
    "Saves whether the caller wants pictures from a match. Without, the match can send text only (422 `pictures_unwanted`).",
  method: "PATCH",
  path: "/dm/api/conversation",
  access: "member",
  costs: write("chat_setting_changes", { per: "hour" }),
  input: z.object({ friendId: UserId, pictures: z.boolean() }),
  response: null,
  errors: ["invalid_input", "conversation_not_found", "too_many_requests"],
});

export const getReading = call({
  name: "getReading",
  summary:
    "Returns whether the caller shows read receipts and typing, and so sees those of matches, and whether they want pictures in new conversations.",
  method: "GET",
  path: "/dm/api/reading",
  access: "member",
  costs: READ,
  input: z.object({}),
  response: z.object({
    shows_reading: z.boolean(),
    shows_typing: z.boolean(),
    accepts_pictures: z.boolean(),
  }),
});

export const saveReading = call({
  name: "saveReading",
  summary:
    "Saves whether the caller shows read receipts, and whether typing. Both choices are mutual: either both members of a match see them or neither. That for receipts also covers earlier messages. `accepts_pictures` is the choice for new conversations.",
  method: "PATCH",
  path: "/dm/api/reading",
  access: "member",
  showsEverywhere: true,
  costs: write("chat_setting_changes", { per: "hour" }),
  input: z.object({
    shows_reading: z.optional(z.boolean()),
    shows_typing: z.optional(z.boolean()),
    accepts_pictures: z.optional(z.boolean()),
  }),
  response: null,
  errors: ["invalid_input", "too_many_requests"],
});

export const unsendDm = call({
  name: "unsendDm",
  method: "DELETE",
  path: "/dm/api/dm",
  access: "member",
  summary:
    "Unsends a message of the caller for both sides. For 24 hours the match can still report it, unseen; then text and image are deleted for good. Safe to repeat.",
  costs: write("unsent_messages"),
  input: z.object({ friendId: UserId, dmId: MessageId }),
  response: null,
  errors: ["invalid_input", "conversation_not_found", "message_not_found"],
});

export const reactToDm = call({
  name: "reactToDm",
  method: "POST",
  path: "/dm/api/reaction",
  access: "member",
  summary:
    "Reacts to a message of a match, or of the caller. Another reaction replaces the caller's; an empty one takes it back. Nobody is notified. A message that the caller cannot see is 404, like an unknown one.",
  needsAgeCheck: true,
  costs: write("reactions"),
  input: z.object({ dmId: MessageId, reaction: z.nullable(ReactionName) }),
  response: null,
  errors: ["invalid_input", "message_not_found", "too_many_requests"],
});

/** Announces a sent message; it has no effect. */
export const Announcement = z.object({ dm_id: z.string() });

/** Browsers hide protocol pings from pages. The reply is `{"pong": true}`. */
export const Ping = z.object({ ping: z.literal(true) });

export const DmFrame = z.object({ dm: Dm });

/** `quiet`: clients neither count nor announce the message. */
const NewDmFrame = z.object({ dm: Dm, quiet: z.optional(z.literal(true)) });

/** The match with `user_id` ended; the frame does not reveal why. */
const MatchEndedFrame = z.object({ match_ended: z.object({ user_id: z.string() }) });

/** `reader_id`, the member or their match `user_id`, has read the conversation up to `dm_id`. */
const ReadFrame = z.object({
  read: z.object({ user_id: z.string(), reader_id: z.string(), dm_id: z.string() }),
});

/** Read receipts were switched on or off for `user_id`, or for all conversations (null): the client reloads them. */
const ReadingFrame = z.object({ reading: z.object({ user_id: z.nullable(z.string()) }) });

/** The match `user_id` is typing; shown for six seconds. */
const TypingFrame = z.object({ typing: z.object({ user_id: z.string() }) });

/** The member or their match `user_id` has changed whether they want pictures: the client reloads the list. */
const PicturesFrame = z.object({ pictures: z.object({ user_id: z.string() }) });

/** The member has opened their new match `user_id`. */
const SeenFrame = z.object({ seen: z.object({ user_id: z.string() }) });

/** A message in the conversation with `user_id` was unsent by its sender. */
const UnsentFrame = z.object({ unsent: z.object({ user_id: z.string(), dm_id: z.string() }) });

/** The member or their match, `user_id`, reacted to a message, or took that back. */
const ReactionFrame = z.object({
  reaction: z.object({ dm_id: z.string(), user_id: z.string(), reaction: z.nullable(ReactionName) }),
});

/** A server frame of `/ws/events`: one event per frame. */
export const EventFrame = z.union([
  z.object({ match: Party }),
  NewDmFrame,
  MatchEndedFrame,
  ReadFrame,
  ReadingFrame,
  TypingFrame,
  PicturesFrame,
  SeenFrame,
  UnsentFrame,
  ReactionFrame,
  /** The session `id` began on a new device, or was confirmed: the client reloads the list. */
  z.object({ device: z.object({ id: z.string() }) }),
  /** Data of the member changed on another tab or device: the client loads its screen again, in another language if it names one. */
  z.object({ changed: z.object({ language: z.nullable(z.string()) }) }),
  z.object({ help: z.object({}) }),
  z.object({ notice: z.object({ id: z.string() }) }),
  z.object({ pong: z.literal(true) }),
]);
export type EventFrame = z.infer<typeof EventFrame>;
