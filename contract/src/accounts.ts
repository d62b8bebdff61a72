import * as z from "zod/mini";
import { call } from "./call.ts";
import * as fields from "./fields.ts";
import { choice, hasBoth, NewUserId } from "./fields.ts";
import {
  filterFields,
  heightChecks,
  IconPreview,
  newRangeChecks,
  profileFields,
  sexes,
  User,
} from "./users.ts";

export const botActions = ["SignUp", "ResetPassword"] as const;

/** Whose accounts open an account here. */
const socialProviders = ["google"] as const;

/** How a token can fail before anything is known of its owner; `not_found` where Google is not configured. */
const googleRefusals = [
  "not_found",
  "google_token_refused",
  "google_email_unverified",
  "google_unavailable",
] as const;

/** A new pair of tokens. `device` is a random mark of this device, which the next login may send. */
const Tokens = z.object({ access: z.string(), refresh: z.string(), device: z.optional(z.string()) });
export type Tokens = z.infer<typeof Tokens>;

export const botChallenge = call({
  name: "botChallenge",
  summary: "Asks for a proof-of-work challenge (ALTCHA) to solve before a letter is sent.",
  method: "GET",
  path: "/api/bot-challenge",
  access: "visitor",
  input: z.object({ action: choice(botActions) }),
  response: z.looseObject({}),
  errors: ["invalid_input", "not_found"],
});

const agreement = z.literal(["yes", "true", "on", "1", true], { error: "agreement_required" });

export const requestSignUpCode = call({
  name: "requestSignUpCode",
  summary:
    "First step of signing up: asks for a code by e-mail. Answers the same for known and unknown addresses.",
  method: "POST",
  path: "/users/api/user",
  access: "visitor",
  when: (filled) => !filled.has("code") && !filled.has("accessToken") && !filled.has("provider"),
  // Every fault of this step is told as `error_message` with status 200, so the fields are only bounded here.
  input: z.object({
    email: fields.Email,
    recaptchaAction: z.optional(z.string()),
    recaptchaToken: z.optional(z.nullable(z.string())),
    agree_privacy_policy: agreement,
    agree_tos: agreement,
    agree_sensitive: z.optional(z.nullable(z.string())),
  }),
  response: z.object({ error_message: z.optional(z.string()) }),
});

export const checkSignUpCode = call({
  name: "checkSignUpCode",
  summary: "Second step of signing up: whether the code of the letter is right.",
  method: "POST",
  path: "/users/api/user",
  access: "visitor",
  when: (filled) => filled.has("code") && [...filled].every((name) => name === "code" || name === "email"),
  input: z.object({ email: fields.Email, code: fields.Code }),
  response: z.boolean(),
  errors: ["invalid_input", "too_many_requests"],
});

/**
 * Who signs up by e-mail proves the address by the code of its letter, who comes from Google by a token; the token
 * counts when both are sent.
 */
const registration = z.object({
  email: fields.fillable(fields.Email),
  code: fields.fillable(fields.Code),
  provider: fields.fillable(choice(socialProviders)),
  accessToken: fields.fillable(fields.SocialToken),
  /** With a token only: the consent that the letter's round keeps otherwise. */
  agree_sensitive: z.optional(z.nullable(z.string())),
  userId: NewUserId,
  password: fields.Password,
  passwordConfirmation: fields.Credential,
  icon: fields.IconFile,
  icon_process: z._default(z.optional(z.nullable(z.boolean())), true),
  sex: choice(sexes),
  date_of_birth: fields.BirthDate,
  ...profileFields,
  ...filterFields,
  invited_by_user_id: z.optional(z.nullable(z.string())),
});

export const register = call({
  name: "register",
  summary:
    "Last step of signing up: the complete profile, with the e-mail address and its code again, or with a provider and its token.",
  method: "POST",
  path: "/users/api/user",
  access: "visitor",
  when: () => true,
  input: registration.check(
    isFilledUnless("email", "accessToken"),
    isFilledUnless("code", "accessToken"),
    z.refine((form) => form.accessToken == null || form.provider != null, {
      path: ["provider"],
      error: "required",
      when: hasBoth("provider", "accessToken"),
    }),
    z.refine((form) => form.password === form.passwordConfirmation, {
      path: ["passwordConfirmation"],
      error: "password_mismatch",
      when: hasBoth("password", "passwordConfirmation"),
    }),
    z.refine((form) => !fields.holdsUserId(form.password, form.userId), {
      path: ["password"],
      error: "password_contains_user_id",
      when: fields.areRight("password", "userId"),
    }),
    ...heightChecks,
    ...newRangeChecks,
  ),
  response: z.object({ user: User }),
  status: 201,
  errors: [
    "invalid_input",
    "not_an_image",
    "too_large",
    "too_many_requests",
    "media_unavailable",
    ...googleRefusals,
  ],
});

type Proof = Partial<Record<"email" | "code" | "accessToken", string | null>>;

/** Asks for one way of proving who one is where the other is not taken. */
function isFilledUnless(name: keyof Proof, other: keyof Proof) {
  return z.refine<Proof>((form) => form[name] != null || form[other] != null, {
    path: [name],
    error: "required",
    when: hasBoth(name, other),
  });
}

export const previewSignUpIcon = call({
  name: "previewSignUpIcon",
  summary:
    "Shows who is signing up what processing makes of a picture. What proves the newcomer is not used up, and a wrong code counts.",
  method: "POST",
  path: "/users/api/sign-up-icon-preview",
  access: "visitor",
  input: z
    .object({
      email: fields.fillable(fields.Email),
      code: fields.fillable(fields.Code),
      provider: fields.fillable(choice(socialProviders)),
      accessToken: fields.fillable(fields.SocialToken),
      icon: fields.IconFile,
    })
    .check(isFilledUnless("email", "accessToken"), isFilledUnless("code", "accessToken")),
  response: IconPreview,
  errors: [
    "invalid_input",
    "not_an_image",
    "too_large",
    "too_many_requests",
    "preview_unavailable",
    ...googleRefusals,
  ],
});

export const getOwnUser = call({
  name: "getOwnUser",
  summary: "The member that asks.",
  method: "GET",
  path: "/users/api/user",
  access: "member",
  input: z.object({}),
  response: z.object({ user: User }),
});

export const confirmPassword = call({
  name: "confirmPassword",
  summary:
    "Whether this is the password of the member that asks; never, for a member without one (`has_password`).",
  method: "POST",
  path: "/api/confirm-password",
  access: "member",
  input: z.object({ password: fields.Credential }),
  response: z.boolean(),
  errors: ["invalid_input", "too_many_requests"],
});

export const deleteAccount = call({
  name: "deleteAccount",
  summary: "Deletes the account and everything of it, at once.",
  method: "DELETE",
  path: "/users/api/user",
  access: "member",
  input: z.object({}),
  response: null,
});

export const logIn = call({
  name: "logIn",
  summary: "Opens a session with user id and password.",
  method: "POST",
  path: "/api/token/",
  access: "visitor",
  input: z.object({
    user_id: fields.Credential,
    password: fields.Credential,
    device: z.optional(z.nullable(z.string())),
  }),
  response: Tokens,
  errors: ["invalid_input", "wrong_credentials", "account_suspended", "too_many_requests"],
});

const social = { provider: choice(socialProviders), accessToken: fields.SocialToken };

export const socialAccountExists = call({
  name: "socialAccountExists",
  summary: "Whether a member was made with the Google account of a token, or has its e-mail address.",
  method: "GET",
  path: "/users/api/social-account/check-exists",
  access: "visitor",
  input: z.object(social),
  response: z.boolean(),
  errors: ["invalid_input", "too_many_requests", ...googleRefusals],
});

export const readSocialAccount = call({
  name: "readSocialAccount",
  summary: "The confirmed e-mail address that a sign-up with this token gets, to be shown before.",
  method: "POST",
  path: "/users/api/social-account/email",
  access: "visitor",
  input: z.object(social),
  response: z.object({ email: z.string() }),
  errors: ["invalid_input", "too_many_requests", ...googleRefusals],
});

export const logInSocially = call({
  name: "logInSocially",
  summary: "Opens a session of the member who was made with the Google account of a token.",
  method: "POST",
  path: "/users/api/social-account",
  access: "visitor",
  input: z.object({ ...social, device: z.optional(z.nullable(z.string())) }),
  response: z.object({ ...Tokens.shape, user: User }),
  errors: [
    "invalid_input",
    "social_account_not_found",
    "account_suspended",
    "too_many_requests",
    ...googleRefusals,
  ],
});

export const refreshTokens = call({
  name: "refreshTokens",
  summary:
    "Swaps a refresh token for a new pair; a token that was swapped before ends its whole session. The same `clientId` again answers the same pair, while that is the newest.",
  method: "POST",
  path: "/api/token/refresh/",
  access: "visitor",
  input: z.object({
    refresh: fields.Credential,
    clientId: z.optional(z.nullable(z.uuid({ error: "invalid" }))),
  }),
  response: Tokens,
  errors: ["invalid_input", "login_required", "account_suspended", "too_many_requests"],
});

export const logOut = call({
  name: "logOut",
  summary: "Ends the session of a refresh token, its access token and sockets included.",
  method: "DELETE",
  path: "/users/api/logout",
  access: "visitor",
  input: z.object({ token: fields.Credential }),
  response: null,
  errors: ["invalid_input"],
});

export const getWsTicket = call({
  name: "getWsTicket",
  summary: "A single-use ticket, good for 30 seconds, that opens a socket in place of an access token.",
  method: "POST",
  path: "/api/ws-ticket",
  access: "member",
  input: z.object({}),
  response: z.object({ ticket: z.string() }),
  errors: ["too_many_requests"],
});

/** A login that still holds. `device_name` says roughly what it was made with, in the caller's language. */
const OpenSession = z.object({
  id: z.string(),
  /** Whether it is the one that asks. */
  current: z.boolean(),
  device_name: z.string(),
  created_at: z.string(),
  /** The day in UTC, `YYYY-MM-DD`. */
  last_used: z.string(),
});
export type OpenSession = z.infer<typeof OpenSession>;

export const getSessions = call({
  name: "getSessions",
  summary: "The caller's sessions: this one first, then the others, the latest used first.",
  method: "GET",
  path: "/users/api/sessions",
  access: "member",
  input: z.object({}),
  response: z.object({ sessions: z.array(OpenSession) }),
});

export const endSession = call({
  name: "endSession",
  summary: "Ends one of the caller's sessions at once, its sockets included.",
  method: "DELETE",
  path: "/users/api/session",
  access: "member",
  input: z.object({ sessionId: z.string().check(z.minLength(1, "required"), z.maxLength(200, "too_long")) }),
  response: null,
  errors: ["invalid_input", "session_not_found"],
});

export const endOtherSessions = call({
  name: "endOtherSessions",
  summary: "Ends all of the caller's sessions but this one at once, their sockets included.",
  method: "DELETE",
  path: "/users/api/sessions",
  access: "member",
  input: z.object({}),
  response: null,
});

export const getExportTicket = call({
  name: "getExportTicket",
  summary:
    "A single-use ticket, good for 30 seconds, with which a browser fetches the export by its address.",
  method: "POST",
  path: "/users/api/export-ticket",
  access: "member",
  input: z.object({}),
  response: z.object({ ticket: z.string() }),
  errors: ["too_many_requests"],
});

export const exportData = call({
  name: "exportData",
  summary:
    "All that is kept about the member and of it: a zip of `data.json` and its own pictures. `ticket` stands in for the access token.",
  method: "GET",
  path: "/users/api/export",
  access: "member",
  input: z.object({ ticket: z.optional(z.nullable(z.string())) }),
  response: null,
  file: { type: "application/zip", name: "data.zip" },
  errors: ["too_many_requests"],
});
