import * as z from "zod/mini";
import { call } from "./call.ts";
import { type FieldMessage, hasBoth } from "./fields.ts";
import { PUSH_ENDPOINT_MAX } from "./limits.ts";

const say = (message: FieldMessage): string => message;

/** A time of day as a clock shows it, from `00:00` to `23:59`. */
const TimeOfDay = z
  .string()
  .check(z.minLength(1, say("required")), z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, say("invalid")));

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

const TimeZone = z.string().check(
  z.maxLength(64, say("too_long")),
  z.refine((name) => /^[A-Za-z]/.test(name) && isTimeZone(name), say("unknown_choice")),
);

const choices = {
  /** Whether the member's devices are told of something new. */
  push: z.boolean(),
  quiet_hours: z.boolean(),
  quiet_from: TimeOfDay,
  quiet_to: TimeOfDay,
  /** The zone that the quiet hours are meant in, such as `Asia/Tokyo`. */
  time_zone: TimeZone,
  /** Whether a letter tells of something new when the member has been away. */
  digest: z.boolean(),
};

export const getNotifications = call({
  name: "getNotifications",
  summary:
    "What the caller wants to be told, and the key with which a browser subscribes. `time_zone` is null until it was saved; `has_email` says whether letters can reach the caller.",
  method: "GET",
  path: "/users/api/notifications",
  access: "member",
  input: z.object({}),
  response: z.object({
    ...choices,
    time_zone: z.nullable(z.string()),
    has_email: z.boolean(),
    push_key: z.string(),
  }),
});

export const saveNotifications = call({
  name: "saveNotifications",
  summary:
    "Changes what the caller wants to be told. Within the quiet hours nothing is sent; it is told once after them.",
  method: "PATCH",
  path: "/users/api/notifications",
  access: "member",
  input: z.object(choices).check(
    z.refine(({ quiet_hours, quiet_from, quiet_to }) => !quiet_hours || quiet_from !== quiet_to, {
      error: say("times_equal"),
      path: ["quiet_to"],
      when: hasBoth("quiet_from", "quiet_to"),
    }),
  ),
  response: null,
  errors: ["invalid_input", "too_many_requests"],
});

const base64url = (bytes: number) =>
  z.string().check(
    z.regex(/^[\w-]+={0,2}$/, say("invalid")),
    z.refine((value) => value.replaceAll("=", "").length === Math.ceil((bytes * 4) / 3), say("invalid")),
  );

const Endpoint = z.string().check(
  z.minLength(1, say("required")),
  z.maxLength(PUSH_ENDPOINT_MAX, say("too_long")),
  z.refine((value) => URL.canParse(value), say("url_invalid")),
);

export const subscribePush = call({
  name: "subscribePush",
  summary:
    "Lets a device be told (Web Push). It is told in the language of this address, and no more once this session ends.",
  method: "POST",
  path: "/users/api/push-subscription",
  access: "member",
  input: z.object({ endpoint: Endpoint, p256dh: base64url(65), auth: base64url(16) }),
  response: null,
  errors: ["invalid_input", "too_many_requests"],
});

export const unsubscribePush = call({
  name: "unsubscribePush",
  summary: "Lets a device of the caller be told no more.",
  method: "DELETE",
  path: "/users/api/push-subscription",
  access: "member",
  input: z.object({ endpoint: Endpoint }),
  response: null,
  errors: ["invalid_input", "too_many_requests"],
});

export const sawNews = call({
  name: "sawNews",
  summary:
    "Says that the app is open before the caller's eyes: what has come until now need not be told. `listens` is false for a caller whom nothing tells, and who need not say so again.",
  method: "POST",
  path: "/users/api/saw-news",
  access: "member",
  input: z.object({}),
  response: z.object({ listens: z.boolean() }),
  errors: ["too_many_requests"],
});

export const endLetters = call({
  name: "endLetters",
  summary:
    "Ends the letters about something new, by the token in each of them (RFC 8058); the same again changes nothing.",
  method: "POST",
  path: "/unsubscribe",
  access: "visitor",
  input: z.object({
    token: z.string().check(z.minLength(1, say("required")), z.maxLength(1_000, say("too_long"))),
  }),
  response: null,
  errors: ["invalid_input", "not_found"],
});
