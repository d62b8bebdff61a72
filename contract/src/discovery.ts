import * as z from "zod/mini";
import { call } from "./call.ts";
import { READ, write } from "./costs.ts";
import { choice, fillable, keepable, Location, TimeZone, UserId, wholeNumber } from "./fields.ts";
import { GOODBYES } from "./limits.ts";
import { filterSuggestions } from "./suggestions.ts";
import { arrivals, locationPrecisions, MatchDay, Party, PublicUser, User } from "./users.ts";

export const emptyReasons = [
  "nobody_in_range",
  "all_seen",
  "filters_too_narrow",
  "card_used",
  "paused",
] as const;
export type EmptyReason = (typeof emptyReasons)[number];

/** Like, match and pass look the same in encrypted traffic. */
const VERDICT_SIZE = 24;

const LikesLeft = z.optional(z.int());

export const verdicts = ["like", "pass"] as const;
export type Verdict = (typeof verdicts)[number];

export const saveLocationPrecision = call({
  name: "saveLocationPrecision",
  summary:
    "Sets how coarse the member's position is. A coarser choice moves the stored position at once, a finer one takes effect with the next position.",
  method: "PATCH",
  path: "/users/api/user",
  access: "member",
  showsEverywhere: true,
  when: (filled) => filled.has("location_precision"),
  costs: write("precision_changes"),
  input: z.object({ location_precision: choice(locationPrecisions) }),
  response: z.object({ user: User }),
  errors: ["invalid_input"],
});

export const saveLocation = call({
  name: "saveLocation",
  method: "PATCH",
  path: "/users/api/user",
  access: "member",
  summary:
    "Saves the member's position, snapped to a grid cell of about 5 square kilometres (or larger, by `location_precision`) before anything is stored.",
  when: (filled) => filled.has("location"),
  costs: write("location_changes", { max: 30, per: "hour" }),
  input: z.object({ location: Location }),
  response: z.object({ user: User }),
  errors: ["invalid_input", "too_many_requests"],
});

export const saveArrival = call({
  name: "saveArrival",
  summary:
    "Sets the hour (07:00, 12:00, 20:00 or midnight) and the IANA time zone at which a free member's card comes. An absent field stays as it is; without a choice, the hour is midnight and the zone that of the device. One change in seven days. The next card comes at least 20 hours after the last one.",
  method: "PATCH",
  path: "/users/api/user",
  access: "member",
  showsEverywhere: true,
  when: (filled) => filled.has("arrival") || filled.has("arrival_zone"),
  costs: write("arrival_changes"),
  input: z.object({ arrival: keepable(choice(arrivals)), arrival_zone: keepable(TimeZone) }),
  response: z.object({ user: User }),
  errors: ["invalid_input", "arrival_changes_used_up"],
});

export const getPlaceAdvice = call({
  name: "getPlaceAdvice",
  summary:
    "Returns `region` where few members live around the caller, and a smaller area could name them; else null. No count leaves the server.",
  method: "GET",
  path: "/users/api/place-advice",
  access: "member",
  costs: READ,
  input: z.object({}),
  response: z.object({ suggestion: z.nullable(z.enum(locationPrecisions)) }),
});

export const getOptions = call({
  name: "getOptions",
  method: "GET",
  path: "/users/api/get-options",
  access: "member",
  summary:
    "Returns up to 10 next candidates without those in `ids` (comma-separated user ids that the client already shows). An empty list carries its `reason` (`paused` while the caller is hidden), the one filter change that would find a candidate (`suggestion`, absent if none would; with `suggested_max_range` if a wider distance finds one), and the time of the next card once today's is used (`next_card_at`, with `card_used`, or with `all_seen` after the 250 new faces of a paid member's day). `card_day_began_on` is the day (UTC) on which the running card day began, with `card_used`. `card_came_at` is the time at which the card came by the hour that a free member chose; else it is absent. `likes_left` is absent for free members. `passed_yesterday` is a free member's card of yesterday, while `undo-pass` brings it back.",
  costs: { ...READ, learns: "faces" },
  input: z.object({ ids: z.optional(z.nullable(z.string().check(z.maxLength(5_000, "too_long")))) }),
  response: z.object({
    options: z.array(PublicUser),
    reason: z.optional(z.enum(emptyReasons)),
    suggestion: z.optional(z.enum(filterSuggestions)),
    /** The smallest of `WIDER_RANGES` that finds a candidate, in the unit of the filter. */
    suggested_max_range: z.optional(z.int()),
    next_card_at: z.optional(z.string()),
    card_day_began_on: z.optional(z.string()),
    card_came_at: z.optional(z.string()),
    likes_left: LikesLeft,
    passed_yesterday: z.optional(Party),
  }),
  errors: ["invalid_input", "location_required"],
});

export const likeUser = call({
  name: "likeUser",
  method: "POST",
  path: "/users/api/like",
  access: "member",
  summary: "Likes a candidate. `matched` is true when that person already liked the caller.",
  needsAgeCheck: true,
  costs: { ...write("likes"), learns: "user_id" },
  input: z.object({ likedId: UserId }),
  response: z.object({ matched: z.boolean() }),
  padTo: VERDICT_SIZE,
  errors: [
    "invalid_input",
    "user_not_found",
    "cannot_like_yourself",
    "paused",
    "upgrade_required",
    "likes_used_up",
  ],
});

export const passUser = call({
  name: "passUser",
  method: "POST",
  path: "/users/api/unlike",
  access: "member",
  summary: "Passes on a candidate, who is not shown again for 90 days.",
  costs: { ...write("passes", { max: 120, batch: 10 }), learns: "user_id" },
  input: z.object({ unlikedId: UserId }),
  response: z.object({}),
  padTo: VERDICT_SIZE,
  errors: ["invalid_input", "user_not_found", "cannot_like_yourself", "paused", "upgrade_required"],
});

export const neverAgain = call({
  name: "neverAgain",
  summary:
    "Passes on a candidate for good: no card of this member returns. A like becomes a pass; a match stays as it is.",
  method: "POST",
  path: "/users/api/never-again",
  access: "member",
  costs: { ...write("passes", { max: 120, batch: 10 }), learns: "user_id" },
  input: z.object({ userId: UserId }),
  response: null,
  errors: ["invalid_input", "user_not_found", "cannot_like_yourself", "paused", "upgrade_required"],
});

export const undoPass = call({
  name: "undoPass",
  method: "POST",
  path: "/users/api/undo-pass",
  access: "member",
  summary:
    "Undoes the last like or pass, once and on the same day, if no verdict and no match followed it. `user` is that candidate, or null if there is nothing to undo. The quota of a like stays used, but the next verdict on this candidate uses none. A free member's card that was passed yesterday returns too, in place of today's card, until that one is decided.",
  costs: write("undone_passes"),
  input: z.object({}),
  response: z.object({ user: z.nullable(PublicUser) }),
});

const GivenLike = z.extend(Party, { liked_on: MatchDay });
export type GivenLike = z.infer<typeof GivenLike>;

export const getLikes = call({
  name: "getLikes",
  summary:
    "Returns the members whom the caller liked, without matches and members who hide, the newest first, 500 at most.",
  method: "GET",
  path: "/users/api/likes",
  access: "member",
  costs: READ,
  input: z.object({}),
  response: z.object({ likes: z.array(GivenLike) }),
});

export const takeBackLike = call({
  name: "takeBackLike",
  summary: "Takes back a like that is no match: it becomes a pass. The quota stays used.",
  method: "DELETE",
  path: "/users/api/likes",
  access: "member",
  costs: write("likes_taken_back"),
  input: z.object({ userId: UserId }),
  response: null,
  errors: ["invalid_input", "user_not_found"],
});

export const getUser = call({
  name: "getUser",
  summary:
    "Returns another member's profile and the caller's own `verdict` on them, if any. A missing, suspended or blocking member is not found.",
  method: "GET",
  path: "/users/api/get-user",
  access: "member",
  costs: { ...READ, learns: "profile" },
  input: z.object({ userId: UserId }),
  response: z.object({
    user: PublicUser,
    matched: z.boolean(),
    matched_on: z.nullable(MatchDay),
    verdict: z.nullable(z.enum(verdicts)),
    likes_left: LikesLeft,
  }),
  errors: ["invalid_input", "user_not_found"],
});

export const unmatch = call({
  name: "unmatch",
  summary:
    "Ends a match without a block. `goodbye` is the number of a sentence that the other member reads in their own language. The chat disappears for both, and they are hidden from each other for 90 days.",
  method: "POST",
  path: "/users/api/unmatch",
  access: "member",
  costs: write("unmatches"),
  input: z.object({ userId: UserId, goodbye: fillable(wholeNumber(1, GOODBYES)) }),
  response: null,
  errors: ["invalid_input", "user_not_found"],
});

export const getClearIconViewers = call({
  name: "getClearIconViewers",
  summary: "Returns the matches who may see the caller's clear picture, newest first.",
  method: "GET",
  path: "/users/api/clear-icon/viewers",
  access: "member",
  costs: READ,
  input: z.object({}),
  response: z.object({ users: z.array(Party) }),
});

export const showClearIcon = call({
  name: "showClearIcon",
  summary: "Lets a match see the caller's clear picture.",
  method: "POST",
  path: "/users/api/clear-icon/viewers",
  access: "member",
  costs: write("clear_icon_changes"),
  input: z.object({ userId: UserId }),
  response: null,
  errors: ["invalid_input", "user_not_found", "clear_icon_missing"],
});

export const hideClearIcon = call({
  name: "hideClearIcon",
  summary: "Hides the caller's clear picture from a match again, at once.",
  method: "DELETE",
  path: "/users/api/clear-icon/viewers",
  access: "member",
  costs: write("clear_icon_changes"),
  input: z.object({ userId: UserId }),
  response: null,
  errors: ["invalid_input"],
});
