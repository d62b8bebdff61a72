import * as z from "zod/mini";
import { call } from "./call.ts";
import { FREE, OF_ADDRESS, READ, write } from "./costs.ts";
import * as fields from "./fields.ts";
import { choice, hasBoth, NewUserId, WebAuthnJson } from "./fields.ts";
import {
  filterFields,
  heightChecks,
  IconPreview,
  newRangeChecks,
  profileFields,
  sexes,
  User,
} from "./users.ts";

export const botActions = ["SignUp", "ResetPassword", "Login", "Contact", "Notice", "LostMailbox"] as const;

const socialProviders = ["google"] as const;

/** `not_found`: Google sign-in is not configured. */
const googleErrors = [
  "not_found",
  "google_token_refused",
  "google_email_unverified",
  "google_unavailable",
] as const;

/**
 * `device` is a random device token, which the next login may send. The scope `case` is a suspended member's: their
 * tokens open only the calls of the case page.
 */
export const Tokens = z.object({
  access: z.string(),
  refresh: z.string(),
  device: z.optional(z.string()),
  scope: z.optional(z.literal("case")),
});
export type Tokens = z.infer<typeof Tokens>;

export const botChallenge = call({
  name: "botChallenge",
  method: "GET",
  path: "/api/bot-challenge",
  access: "visitor",
  summary:
    "Returns a proof-of-work challenge (ALTCHA) to solve before an email is sent or a question is asked, or before a login that needs it. For `Login`, `user_id` is that of the login.",
  costs: FREE,
  input: z.object({ action: choice(botActions), user_id: z.optional(z.nullable(fields.LoginName)) }),
  response: z.looseObject({}),
  errors: ["invalid_input", "not_found", "too_many_requests"],
});

const agreement = z.literal(["yes", "true", "on", "1", true], { error: "agreement_required" });

export const requestSignUpCode = call({
  name: "requestSignUpCode",
  summary:
    "First step of signing up: sends a code by email. The response is the same for known and unknown addresses.",
  method: "POST",
  path: "/users/api/user",
  access: "visitor",
  when: (filled) => !filled.has("code") && !filled.has("accessToken") && !filled.has("provider"),
  costs: OF_ADDRESS,
  // Errors of this step are an `error_message` with status 200, so only the fields' sizes are checked here.
  input: z.object({
    email: fields.Email,
    recaptchaAction: z.optional(z.string()),
    recaptchaToken: z.optional(z.nullable(z.string())),
    agree_privacy_policy: agreement,
    agree_tos: agreement,
    /** Means nothing more: the tick of the privacy policy includes it. */
    agree_sensitive: z.optional(z.nullable(z.string())),
  }),
  response: z.object({ error_message: z.optional(z.string()) }),
});

export const checkSignUpCode = call({
  name: "checkSignUpCode",
  summary:
    "Second step of signing up: returns whether the emailed code is right. The cookie of the first step counts wrong codes of its browser apart.",
  method: "POST",
  path: "/users/api/user",
  access: "visitor",
  when: (filled) => filled.has("code") && [...filled].every((name) => name === "code" || name === "email"),
  costs: OF_ADDRESS,
  input: z.object({ email: fields.Email, code: fields.Code }),
  response: z.boolean(),
  errors: ["invalid_input", "too_many_requests"],
});

/** A member proves their address by an emailed code or a Google token. The token counts if both are sent. */
const registration = z.object({
  email: fields.fillable(fields.Email),
  code: fields.fillable(fields.Code),
  provider: fields.fillable(choice(socialProviders)),
  accessToken: fields.fillable(fields.SocialToken),
  agree_sensitive: z.optional(z.nullable(z.string())),
  userId: NewUserId,
  password: fields.Password,
  passwordConfirmation: fields.Credential,
  icon: fields.IconFile,
  icon_process: z._default(z.optional(z.nullable(z.boolean())), true),
  /** Keeps an encrypted clear picture for chosen matches; only beside a processed icon. */
  keep_clear_icon: fields.fillable(z.boolean()),
  sex: choice(sexes),
  date_of_birth: fields.BirthDate,
  ...profileFields,
  ...filterFields,
  invited_by_user_id: z.optional(z.nullable(z.string().check(z.overwrite(fields.foldHandle)))),
});

export const register = call({
  name: "register",
  summary:
    "Last step of signing up: the complete profile, with the email address and its code again, or with a provider and its token. An incomplete form returns its errors; with a right proof also whether the user id is taken.",
  method: "POST",
  path: "/users/api/user",
  access: "visitor",
  when: () => true,
  costs: OF_ADDRESS,
  input: registration.check(
    isFilledOrOther("email", "accessToken"),
    isFilledOrOther("code", "accessToken"),
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
    z.refine((form) => !fields.containsUserId(form.password, form.userId), {
      path: ["password"],
      error: "password_contains_user_id",
      when: fields.areValid("password", "userId"),
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
    ...googleErrors,
  ],
});

type Proof = Partial<Record<"email" | "code" | "accessToken", string | null>>;

/** Requires a field unless the other proof of the address is given. */
function isFilledOrOther(name: keyof Proof, other: keyof Proof) {
  return z.refine<Proof>((form) => form[name] != null || form[other] != null, {
    path: [name],
    error: "required",
    when: hasBoth(name, other),
  });
}

export const previewSignUpIcon = call({
  name: "previewSignUpIcon",
  summary:
    "Returns a picture as processing will show it, during sign-up. The code stays valid; a wrong code counts.",
  method: "POST",
  path: "/users/api/sign-up-icon-preview",
  access: "visitor",
  costs: OF_ADDRESS,
  input: z
    .object({
      email: fields.fillable(fields.Email),
      code: fields.fillable(fields.Code),
      provider: fields.fillable(choice(socialProviders)),
      accessToken: fields.fillable(fields.SocialToken),
      icon: fields.IconFile,
    })
    .check(isFilledOrOther("email", "accessToken"), isFilledOrOther("code", "accessToken")),
  response: IconPreview,
  errors: [
    "invalid_input",
    "not_an_image",
    "too_large",
    "too_many_requests",
    "preview_unavailable",
    ...googleErrors,
  ],
});

export const getOwnUser = call({
  name: "getOwnUser",
  method: "GET",
  path: "/users/api/user",
  access: "member",
  forPurchases: true,
  summary:
    "Returns the caller's own user. A session for purchases gets no email address, birth date, text, picture and position.",
  costs: READ,
  input: z.object({}),
  response: z.object({ user: User }),
});

/** Requires the password unless the other proof is given. */
function hasPasswordOr(other: string) {
  return z.refine<Record<string, unknown>>((form) => form["password"] != null || form[other] != null, {
    path: ["password"],
    error: "required",
    when: hasBoth("password", other),
  });
}

export const confirmPassword = call({
  name: "confirmPassword",
  summary:
    "Returns whether this is the caller's password, or whether `response` is of a passkey of theirs. False for a member without a password (`has_password`).",
  method: "POST",
  path: "/api/confirm-password",
  access: "member",
  withoutConsent: true,
  forCase: true,
  costs: write("account_changes"),
  input: z
    .object({ password: fields.fillable(fields.Credential), response: fields.fillable(WebAuthnJson) })
    .check(hasPasswordOr("response")),
  response: z.boolean(),
  errors: ["invalid_input", "too_many_requests"],
});

export const deleteAccount = call({
  name: "deleteAccount",
  summary: "Deletes the account and its data at once.",
  method: "DELETE",
  path: "/users/api/user",
  access: "member",
  withoutConsent: true,
  forCase: true,
  costs: write("account_changes"),
  input: z.object({}),
  response: null,
});

export const getDeletionReceipt = call({
  name: "getDeletionReceipt",
  summary:
    "Returns the receipt of a deletion, for a token of the deleted account: one line of text that ends with its signature (Ed25519, base64). Key and numbers are at `/.well-known/deletions.json`. With `email`, also sends it there, twice a day at most.",
  method: "POST",
  path: "/api/deletion-receipt",
  access: "visitor",
  costs: FREE,
  input: z.object({ token: fields.Credential, email: fields.fillable(fields.Email) }),
  response: z.object({ receipt: z.string() }),
  errors: ["invalid_input", "not_found", "too_many_requests"],
});

const secondFactor = {
  response: fields.fillable(WebAuthnJson),
  recovery_code: fields.fillable(fields.Code),
};

export const logIn = call({
  name: "logIn",
  method: "POST",
  path: "/api/token/",
  access: "visitor",
  summary:
    "Opens a session with user id and password; a suspended member's opens the case page only. `user_id` may be the email address on a known device (`device`). After `bot_check_required`, `recaptchaToken` is the solution of a challenge for `Login`. With the second factor on, 401 `passkey_required` holds the `options` for `response`; `recovery_code` takes its place, and without a second factor that of the password.",
  costs: FREE,
  input: z
    .object({
      user_id: fields.LoginName,
      password: fields.fillable(fields.Credential),
      ...secondFactor,
      device: z.optional(z.nullable(z.string())),
      recaptchaToken: z.optional(z.nullable(z.string())),
    })
    .check(hasPasswordOr("recovery_code")),
  response: Tokens,
  errors: [
    "invalid_input",
    "wrong_credentials",
    "logins_stopped",
    "passkey_required",
    "wrong_passkey",
    "wrong_recovery_code",
    "too_many_requests",
    "bot_check_required",
  ],
});

const social = { provider: choice(socialProviders), accessToken: fields.SocialToken };

export const socialAccountExists = call({
  name: "socialAccountExists",
  summary: "Returns whether a member signed up with this Google account, or has its email address.",
  method: "GET",
  path: "/users/api/social-account/check-exists",
  access: "visitor",
  costs: FREE,
  input: z.object(social),
  response: z.boolean(),
  errors: ["invalid_input", "too_many_requests", ...googleErrors],
});

export const readSocialAccount = call({
  name: "readSocialAccount",
  summary: "Returns the verified email address that a sign-up with this token will use.",
  method: "POST",
  path: "/users/api/social-account/email",
  access: "visitor",
  costs: FREE,
  input: z.object(social),
  response: z.object({ email: z.string() }),
  errors: ["invalid_input", "too_many_requests", ...googleErrors],
});

export const logInSocially = call({
  name: "logInSocially",
  summary:
    "Opens a session for the member who signed up with this Google account. The second factor is that of `logIn`.",
  method: "POST",
  path: "/users/api/social-account",
  access: "visitor",
  costs: FREE,
  input: z.object({ ...social, ...secondFactor, device: z.optional(z.nullable(z.string())) }),
  /** A suspended member gets no user. */
  response: z.object({ ...Tokens.shape, user: z.optional(User) }),
  errors: [
    "invalid_input",
    "social_account_not_found",
    "passkey_required",
    "wrong_passkey",
    "wrong_recovery_code",
    "logins_stopped",
    "too_many_requests",
    ...googleErrors,
  ],
});

export const createLoginCode = call({
  name: "createLoginCode",
  summary:
    "Returns a single-use code, valid for 60 seconds and while this session is open, with which the system's browser logs in to buy.",
  method: "POST",
  path: "/api/login-code",
  access: "member",
  costs: write("login_codes", { max: 20, per: "hour" }),
  input: z.object({}),
  response: z.object({ code: z.string() }),
  errors: ["too_many_requests"],
});

export const logInWithCode = call({
  name: "logInWithCode",
  method: "POST",
  path: "/api/token/code",
  access: "visitor",
  summary:
    "Opens a session for purchases only, with a code of `createLoginCode`. It lasts 30 minutes, or until the app's session ends, and cannot be renewed. The browser gets no device token.",
  costs: FREE,
  input: z.object({ code: fields.Credential }),
  response: z.object({ access: z.string(), refresh: z.string(), user_id: z.string() }),
  errors: ["invalid_input", "login_required", "account_suspended", "too_many_requests"],
});

export const refreshTokens = call({
  name: "refreshTokens",
  method: "POST",
  path: "/api/token/refresh/",
  access: "visitor",
  summary:
    "Exchanges a refresh token for a new pair. A token used before ends its whole session. The same `clientId` again returns the same pair while it is the newest.",
  costs: FREE,
  input: z.object({
    refresh: fields.Credential,
    clientId: z.optional(z.nullable(z.uuid({ error: "invalid" }))),
  }),
  response: Tokens,
  errors: ["invalid_input", "login_required", "account_suspended", "too_many_requests"],
});

export const logOut = call({
  name: "logOut",
  method: "DELETE",
  path: "/users/api/logout",
  access: "visitor",
  summary: "Ends the session of a refresh token, its access token and sockets included.",
  costs: FREE,
  input: z.object({ token: fields.Credential }),
  response: null,
  errors: ["invalid_input"],
});

export const getWsTicket = call({
  name: "getWsTicket",
  method: "POST",
  path: "/api/ws-ticket",
  access: "member",
  summary:
    "Returns a single-use ticket, valid for 30 seconds, that opens a socket in place of an access token.",
  withoutConsent: true,
  costs: write("session_tickets"),
  input: z.object({}),
  response: z.object({ ticket: z.string() }),
  errors: ["too_many_requests"],
});

/** `device_name` is the browser and system, in the caller's language. */
const OpenSession = z.object({
  id: z.string(),
  current: z.boolean(),
  device_name: z.string(),
  created_at: z.string(),
  last_used: z.string(),
  /** It logged in from an unknown device, and no known one has confirmed it. */
  new: z.boolean(),
});
export type OpenSession = z.infer<typeof OpenSession>;

export const getSessions = call({
  name: "getSessions",
  summary:
    "Returns the caller's sessions: the current one first, then the others by last use. `new` ones show on devices known before. `tells_new_devices` is false if the caller wants no notice of them.",
  method: "GET",
  path: "/users/api/sessions",
  access: "member",
  costs: READ,
  input: z.object({}),
  response: z.object({ sessions: z.array(OpenSession), tells_new_devices: z.boolean() }),
});

const SessionId = z.string().check(z.minLength(1, "required"), z.maxLength(200, "too_long"));

export const confirmSession = call({
  name: "confirmSession",
  summary: "Confirms a new device as the caller's own, from a device that is not new itself.",
  method: "PATCH",
  path: "/users/api/session",
  access: "member",
  showsEverywhere: true,
  costs: write("account_changes"),
  input: z.object({ sessionId: SessionId }),
  response: null,
  errors: ["invalid_input", "session_not_found"],
});

export const saveSessions = call({
  name: "saveSessions",
  summary: "Saves whether the caller wants notices of new devices.",
  method: "PATCH",
  path: "/users/api/sessions",
  access: "member",
  showsEverywhere: true,
  costs: write("account_changes"),
  input: z.object({ tells_new_devices: z.boolean() }),
  response: null,
  errors: ["invalid_input"],
});

export const denyDevice = call({
  name: "denyDevice",
  summary:
    "Ends the login that an email about a new device names, and the others of its device, by the token of its link, and forgets the device. Safe to repeat.",
  method: "POST",
  path: "/api/not-me",
  access: "visitor",
  costs: FREE,
  input: z.object({ token: fields.Credential }),
  response: null,
  errors: ["invalid_input", "not_found"],
});

export const endSession = call({
  name: "endSession",
  summary: "Ends one of the caller's sessions at once, its sockets included.",
  method: "DELETE",
  path: "/users/api/session",
  access: "member",
  showsEverywhere: true,
  withoutConsent: true,
  costs: write("account_changes"),
  input: z.object({ sessionId: SessionId }),
  response: null,
  errors: ["invalid_input", "session_not_found"],
});

export const endOtherSessions = call({
  name: "endOtherSessions",
  summary: "Ends all other sessions of the caller at once, their sockets included.",
  method: "DELETE",
  path: "/users/api/sessions",
  access: "member",
  showsEverywhere: true,
  withoutConsent: true,
  costs: write("account_changes"),
  input: z.object({}),
  response: null,
});

export const getExportTicket = call({
  name: "getExportTicket",
  summary:
    "Returns a single-use ticket, valid for 30 seconds, with which a browser downloads the export by its URL.",
  method: "POST",
  path: "/users/api/export-ticket",
  access: "member",
  withoutConsent: true,
  forCase: true,
  costs: write("session_tickets"),
  input: z.object({}),
  response: z.object({ ticket: z.string() }),
  errors: ["too_many_requests"],
});

export const exportData = call({
  name: "exportData",
  summary:
    "Returns the member's personal data: a zip of `data.json`, of the same as a readable page in the language of this URL, and of their own pictures. `ticket` replaces the access token.",
  method: "GET",
  path: "/users/api/export",
  access: "member",
  forCase: true,
  costs: write("exports", { max: 10, per: "hour" }),
  input: z.object({ ticket: z.optional(z.nullable(z.string())) }),
  response: null,
  file: { type: "application/zip", name: "data.zip" },
  errors: ["too_many_requests"],
});
