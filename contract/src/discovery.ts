import * as z from "zod/mini";
import { call } from "./call.ts";
import { Location, UserId } from "./fields.ts";
import { SEARCH_AGE, SEARCH_RANGE } from "./limits.ts";
import { Party, PublicUser, User } from "./users.ts";

export const emptyReasons = ["nobody_in_range", "all_seen", "filters_too_narrow", "card_used"] as const;
export type EmptyReason = (typeof emptyReasons)[number];

const distance = { search_min_range: SEARCH_RANGE.min, search_max_range: SEARCH_RANGE.max };
const age = { search_min_age: SEARCH_AGE.min, search_max_age: SEARCH_AGE.max };

/** What of a filter each suggestion changes, and to what. */
export const widenings = {
  wider_distance: distance,
  wider_age: age,
  wider_distance_and_age: { ...distance, ...age },
  all_sexes: { search_sex: "all" },
} as const satisfies Record<string, Partial<User>>;
export type FilterSuggestion = keyof typeof widenings;
export const filterSuggestions = Object.keys(widenings) as FilterSuggestion[];

export const saveLocation = call({
  name: "saveLocation",
  summary:
    "Tells where the member is; snapped to a grid cell of about 5 square kilometres before anything is stored.",
  method: "PATCH",
  path: "/users/api/user",
  access: "member",
  when: (filled) => filled.has("location"),
  input: z.object({ location: Location }),
  response: z.object({ user: User }),
  errors: ["invalid_input", "too_many_requests"],
});

export const getOptions = call({
  name: "getOptions",
  summary:
    "Up to 10 next candidates without those in `ids` (comma separated user ids that the client already shows). An empty list says why (`reason`), which one change of the filter would bring somebody (`suggestion`, absent where none would), and when the next card comes once the day's is used (`next_card_at`).",
  method: "GET",
  path: "/users/api/get-options",
  access: "member",
  input: z.object({ ids: z.optional(z.nullable(z.string().check(z.maxLength(5_000, "too_long")))) }),
  response: z.object({
    options: z.array(PublicUser),
    reason: z.optional(z.enum(emptyReasons)),
    suggestion: z.optional(z.enum(filterSuggestions)),
    next_card_at: z.optional(z.string()),
  }),
  errors: ["invalid_input", "location_required"],
});

export const likeUser = call({
  name: "likeUser",
  summary: "Likes a candidate. `matched` is true when that person already liked the caller.",
  method: "POST",
  path: "/users/api/like",
  access: "member",
  input: z.object({ likedId: UserId }),
  response: z.object({ matched: z.boolean() }),
  errors: ["invalid_input", "user_not_found", "cannot_like_yourself", "upgrade_required", "likes_used_up"],
});

export const passUser = call({
  name: "passUser",
  summary: "Passes on a candidate, who is not shown again for 90 days.",
  method: "POST",
  path: "/users/api/unlike",
  access: "member",
  input: z.object({ unlikedId: UserId }),
  response: null,
  errors: ["invalid_input", "user_not_found", "cannot_like_yourself", "upgrade_required"],
});

export const undoPass = call({
  name: "undoPass",
  summary:
    "Takes the last pass back, once and on its day, if no verdict came after it. `user` is who was passed, or null when there is nothing to take back.",
  method: "POST",
  path: "/users/api/undo-pass",
  access: "member",
  input: z.object({}),
  response: z.object({ user: z.nullable(PublicUser) }),
});

export const getUser = call({
  name: "getUser",
  summary: "Another member's profile. Who is missing, suspended or has blocked the caller is not found.",
  method: "GET",
  path: "/users/api/get-user",
  access: "member",
  input: z.object({ userId: UserId }),
  response: z.object({ user: PublicUser, matched: z.boolean() }),
  errors: ["invalid_input", "user_not_found"],
});

export const getClearIconViewers = call({
  name: "getClearIconViewers",
  summary: "The matches whom the caller shows its clear picture to, the latest first.",
  method: "GET",
  path: "/users/api/clear-icon/viewers",
  access: "member",
  input: z.object({}),
  response: z.object({ users: z.array(Party) }),
});

export const showClearIcon = call({
  name: "showClearIcon",
  summary: "Lets a match see the clear picture that the caller keeps.",
  method: "POST",
  path: "/users/api/clear-icon/viewers",
  access: "member",
  input: z.object({ userId: UserId }),
  response: null,
  errors: ["invalid_input", "user_not_found", "clear_icon_missing"],
});

export const hideClearIcon = call({
  name: "hideClearIcon",
  summary: "Takes back that a match may see the clear picture, at once.",
  method: "DELETE",
  path: "/users/api/clear-icon/viewers",
  access: "member",
  input: z.object({ userId: UserId }),
  response: null,
  errors: ["invalid_input"],
});
