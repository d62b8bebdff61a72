import * as z from "zod/mini";
import { call } from "./call.ts";
import { FREE, READ, write } from "./costs.ts";
import { hasBoth, keepable, messageKey } from "./fields.ts";
import { PUSH_ENDPOINT_MAX } from "./limits.ts";
import { parseUrl } from "./web-url.ts";

/** A time of day as a clock shows it, from `00:00` to `23:59`. */
const TimeOfDay = z
  .string()
  .check(
    z.minLength(1, messageKey("required")),
    z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, messageKey("invalid")),
  );

/** Google's service for Android and Apple's for iPhones. */
const PUSH_SERVICES = ["fcm", "apns"] as const;
/** A token of Apple is part of a URL. */
const TOKENS = { fcm: /^[\w:.-]{20,}$/, apns: /^[0-9a-f]{64,400}$/i };

const preferences = {
  push: z.boolean(),
  quiet_hours: z.boolean(),
  quiet_from: TimeOfDay,
  quiet_to: TimeOfDay,
  digest: z.boolean(),
  somebody_new: z.boolean(),
  push_asked: z.boolean(),
};

export const getNotifications = call({
  name: "getNotifications",
  summary:
    "Returns the caller's notification preferences, the key with which a browser subscribes, and the services by which native apps get pushes. `time_zone` is that of the device used last, and null until one has named it; `somebody_new` is whether the caller gets a notification when nobody was left and somebody new is near; `push_asked` is whether the caller answered the question after the first like; `has_email` is whether emails can reach the caller.",
  method: "GET",
  path: "/users/api/notifications",
  access: "member",
  costs: READ,
  input: z.object({}),
  response: z.object({
    ...preferences,
    time_zone: z.nullable(z.string()),
    has_email: z.boolean(),
    push_key: z.string(),
    native_push: z.array(z.enum(PUSH_SERVICES)),
  }),
});

export const saveNotifications = call({
  name: "saveNotifications",
  summary:
    "Saves the caller's notification preferences. Absent fields stay unchanged. `somebody_new` takes effect only while the filter spans 10 years and 50 km. Nothing is sent in quiet hours, as a clock in the zone of the last `Time-Zone` header shows them; one notification follows them.",
  method: "PATCH",
  path: "/users/api/notifications",
  access: "member",
  showsEverywhere: true,
  costs: write("notification_changes", { per: "hour" }),
  input: z.object({
    push: keepable(preferences.push),
    quiet_hours: keepable(preferences.quiet_hours),
    quiet_from: keepable(TimeOfDay),
    quiet_to: keepable(TimeOfDay),
    digest: keepable(preferences.digest),
    somebody_new: keepable(preferences.somebody_new),
    push_asked: keepable(preferences.push_asked),
  }),
  response: null,
  errors: ["invalid_input", "too_many_requests"],
});

const base64url = (bytes: number) =>
  z.string().check(
    z.regex(/^[\w-]+={0,2}$/, messageKey("invalid")),
    z.refine(
      (value) => value.replaceAll("=", "").length === Math.ceil((bytes * 4) / 3),
      messageKey("invalid"),
    ),
  );

const Endpoint = z.string().check(
  z.minLength(1, messageKey("required")),
  z.maxLength(PUSH_ENDPOINT_MAX, messageKey("too_long")),
  z.refine((value) => parseUrl(value) !== null, messageKey("url_invalid")),
);

const NativePush = z
  .object({
    service: z.enum(PUSH_SERVICES, messageKey("unknown_choice")),
    token: z
      .string()
      .check(z.minLength(1, messageKey("required")), z.maxLength(PUSH_ENDPOINT_MAX, messageKey("too_long"))),
  })
  .check(
    z.refine(({ service, token }) => TOKENS[service].test(token), {
      error: messageKey("invalid"),
      path: ["token"],
      when: hasBoth("service", "token"),
    }),
  );

export const subscribeNativePush = call({
  name: "subscribeNativePush",
  summary:
    "Subscribes the native app to push notifications, in the language of this URL, until this session ends. Replaces the session's previous token.",
  method: "POST",
  path: "/users/api/push-subscription",
  access: "member",
  costs: write("notification_changes", { per: "hour" }),
  input: NativePush,
  response: null,
  when: (filled) => filled.has("token"),
  errors: ["invalid_input", "not_found", "too_many_requests"],
});

export const unsubscribeNativePush = call({
  name: "unsubscribeNativePush",
  summary: "Ends the push subscription of one of the caller's native apps.",
  method: "DELETE",
  path: "/users/api/push-subscription",
  access: "member",
  withoutConsent: true,
  costs: write("notification_changes", { per: "hour" }),
  input: NativePush,
  response: null,
  when: (filled) => filled.has("token"),
  errors: ["invalid_input", "too_many_requests"],
});

export const subscribePush = call({
  name: "subscribePush",
  summary:
    "Subscribes a device to push notifications (Web Push), in the language of this URL, until this session ends.",
  method: "POST",
  path: "/users/api/push-subscription",
  access: "member",
  costs: write("notification_changes", { per: "hour" }),
  input: z.object({ endpoint: Endpoint, p256dh: base64url(65), auth: base64url(16) }),
  response: null,
  errors: ["invalid_input", "too_many_requests"],
});

export const unsubscribePush = call({
  name: "unsubscribePush",
  summary: "Ends the push subscription of one of the caller's devices.",
  method: "DELETE",
  path: "/users/api/push-subscription",
  access: "member",
  withoutConsent: true,
  costs: write("notification_changes", { per: "hour" }),
  input: z.object({ endpoint: Endpoint }),
  response: null,
  errors: ["invalid_input", "too_many_requests"],
});

export const sawNews = call({
  name: "sawNews",
  method: "POST",
  path: "/users/api/saw-news",
  access: "member",
  summary:
    "Reports that the app is open in view: earlier events need no notification. `listens` is false for a caller without notifications, who need not call this again.",
  costs: write("notifications_seen", { max: 30 }),
  input: z.object({}),
  response: z.object({ listens: z.boolean() }),
  errors: ["too_many_requests"],
});

export const endLetters = call({
  name: "endLetters",
  method: "POST",
  path: "/unsubscribe",
  access: "visitor",
  summary: "Ends digest emails by the token in each of them (RFC 8058). Safe to repeat.",
  costs: FREE,
  input: z.object({
    token: z
      .string()
      .check(z.minLength(1, messageKey("required")), z.maxLength(1_000, messageKey("too_long"))),
  }),
  response: null,
  errors: ["invalid_input", "not_found"],
});
