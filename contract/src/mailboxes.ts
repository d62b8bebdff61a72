import * as z from "zod/mini";
import { call } from "./call.ts";
import { FREE, OF_ADDRESS, READ, write } from "./costs.ts";
import * as fields from "./fields.ts";
import { choice, hasBoth } from "./fields.ts";
import { MAILBOX_TEXT_MAX, ORDER_TEXT_MAX } from "./limits.ts";
import { User } from "./users.ts";

const OwnEmail = z.object({
  /** Empty for a member without an address. */
  email: z.string(),
  /** Time from which another change is possible; null: now. */
  next_change_at: z.nullable(z.string()),
  /** Whether this device may hide the change from the old address without a passkey. */
  known_device: z.boolean(),
  /** After a stop: the address that holds until the member chooses, and the one that the change gave. */
  choice: z.nullable(z.object({ before: z.string(), after: z.nullable(z.string()) })),
  /** A request for a new address: its day, and the first day on which the operator can set the address. */
  request: z.nullable(z.object({ asked_on: z.string(), due_on: z.string() })),
});
export type OwnEmail = z.infer<typeof OwnEmail>;

export const getEmail = call({
  name: "getEmail",
  summary: "Returns the caller's email address, and what is open about it.",
  method: "GET",
  path: "/users/api/email",
  access: "member",
  costs: READ,
  input: z.object({}),
  response: OwnEmail,
});

export const requestEmailCode = call({
  name: "requestEmailCode",
  summary:
    "First step of changing the email address: sends a code to the new one. The response is the same for known and unknown addresses; an email to a known one says so.",
  method: "POST",
  path: "/users/api/email",
  access: "member",
  withoutConsent: true,
  when: (filled) => !filled.has("code"),
  costs: write("email_codes", { max: 10, per: "hour" }),
  input: z.object({ email: fields.Email }),
  response: z.object({}),
  errors: ["invalid_input", "conflict", "too_many_requests"],
});

export const changeEmail = call({
  name: "changeEmail",
  summary:
    "Last step of changing the email address: uses up the code, and needs the password or `response` of a passkey. The old address gets a link that stops the account for seven days, unless `others_read` says that others read it: with a passkey, or on a device known for 30 days.",
  method: "POST",
  path: "/users/api/email",
  access: "member",
  withoutConsent: true,
  when: () => true,
  costs: write("account_changes"),
  input: z.object({
    email: fields.Email,
    code: fields.Code,
    password: fields.fillable(fields.Credential),
    response: fields.fillable(fields.WebAuthnJson),
    others_read: fields.fillable(z.boolean()),
  }),
  response: z.object({ user: User }),
  errors: ["invalid_input", "not_confirmed", "conflict", "too_many_requests"],
});

export const chooseEmail = call({
  name: "chooseEmail",
  summary:
    "After a stop: chooses the address that holds, that of before the change or that of after it. The reset by email is open again, and earlier links end.",
  method: "PATCH",
  path: "/users/api/email",
  access: "member",
  withoutConsent: true,
  costs: write("account_changes"),
  input: z.object({ address: choice(["before", "after"]) }),
  response: z.object({ user: User }),
  errors: ["invalid_input", "not_found"],
});

/** In the fragment of a page's URL, which no server gets. */
const LinkToken = fields.Credential;

export const undoEmail = call({
  name: "undoEmail",
  summary:
    "Stops what an email to an old address told about. After a change: all sessions end, the address before it holds, and the reset by email is closed until a login with a passkey, a recovery code, or the password on a known device has chosen an address. After a request for a new address: the request ends.",
  method: "POST",
  path: "/api/email-undo",
  access: "visitor",
  costs: FREE,
  input: z.object({ token: LinkToken }),
  response: null,
  errors: ["invalid_input", "link_expired", "too_many_requests"],
});

export const askNewEmail = call({
  name: "askNewEmail",
  summary:
    "For a member who cannot read their email: with a recovery code or `response` of a passkey, the new address gets a link that sets it at once. Otherwise `text` (and `order`, the number of a receipt) go to the operator, who can set the address after 30 days. The response is the same for known and unknown accounts.",
  method: "POST",
  path: "/api/lost-mailbox",
  access: "visitor",
  costs: OF_ADDRESS,
  input: z
    .object({
      user_id: fields.LoginName,
      email: fields.Email,
      order: fields.fillable(fields.line(ORDER_TEXT_MAX)),
      text: fields.fillable(fields.text(MAILBOX_TEXT_MAX)),
      recovery_code: fields.fillable(fields.Code),
      response: fields.fillable(fields.WebAuthnJson),
      recaptchaAction: z.optional(z.string()),
      recaptchaToken: z.optional(z.nullable(z.string())),
    })
    .check(
      z.refine(
        ({ text, recovery_code, response }) => text != null || recovery_code != null || response != null,
        { path: ["text"], error: fields.messageKey("required"), when: hasBoth("text", "recovery_code") },
      ),
    ),
  response: z.object({}),
  errors: ["invalid_input", "too_many_requests"],
});

export const confirmNewEmail = call({
  name: "confirmNewEmail",
  summary: "Sets the new address by the link in the email to it, after a right proof in `askNewEmail`.",
  method: "POST",
  path: "/api/email-confirm",
  access: "visitor",
  costs: FREE,
  input: z.object({ token: LinkToken }),
  response: null,
  errors: ["invalid_input", "link_expired", "too_many_requests"],
});

export const stopNewEmail = call({
  name: "stopNewEmail",
  summary: "Ends the request for a new address of the caller's account, which was not theirs.",
  method: "DELETE",
  path: "/users/api/lost-mailbox",
  access: "member",
  withoutConsent: true,
  costs: write("account_changes"),
  input: z.object({}),
  response: null,
  errors: ["not_found"],
});
