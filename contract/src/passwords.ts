import * as z from "zod/mini";
import { call } from "./call.ts";
import { OF_ADDRESS, write } from "./costs.ts";
import * as fields from "./fields.ts";
import { hasBoth } from "./fields.ts";

export const requestResetCode = call({
  name: "requestResetCode",
  summary:
    "First step of resetting a password: sends a code by email. The response is the same for known and unknown addresses. `device` is the device token of an earlier login.",
  method: "POST",
  path: "/users/api/reset-password",
  access: "visitor",
  when: (filled) => !filled.has("code"),
  // Errors of this step are an `error_message` with status 200, so only the fields' sizes are checked here.
  costs: OF_ADDRESS,
  input: z.object({
    email: fields.Email,
    recaptchaAction: z.optional(z.string()),
    recaptchaToken: z.optional(z.nullable(z.string())),
    device: z.optional(z.nullable(z.string())),
  }),
  response: z.object({ error_message: z.optional(z.string()) }),
});

export const checkResetCode = call({
  name: "checkResetCode",
  summary:
    "Second step of resetting a password: returns whether the emailed code is right. The cookie of the first step counts wrong codes of its browser apart.",
  method: "POST",
  path: "/users/api/reset-password",
  access: "visitor",
  when: (filled) => filled.has("code") && [...filled].every((name) => name === "code" || name === "email"),
  costs: OF_ADDRESS,
  input: z.object({ email: fields.Email, code: fields.Code }),
  response: z.boolean(),
  errors: ["invalid_input", "too_many_requests"],
});

export const resetPassword = call({
  name: "resetPassword",
  summary:
    "Last step of resetting a password: uses up the code, sets the password and ends every session of the member. False for a wrong code. With `return_user_id`, a success returns the user id in place of true, for a member who forgot it.",
  method: "POST",
  path: "/users/api/reset-password",
  access: "visitor",
  when: () => true,
  costs: OF_ADDRESS,
  input: z
    .object({
      email: fields.Email,
      code: fields.Code,
      password: fields.Password,
      passwordConfirmation: fields.Credential,
      return_user_id: fields.fillable(z.boolean()),
    })
    .check(
      z.refine((form) => form.password === form.passwordConfirmation, {
        path: ["passwordConfirmation"],
        error: "passwords_differ",
        when: hasBoth("password", "passwordConfirmation"),
      }),
    ),
  response: z.union([z.boolean(), z.object({ user_id: z.string() })]),
  errors: ["invalid_input", "too_many_requests"],
});

const passwordFields = ["password", "newPassword", "newPasswordConfirmation"];

export const changePassword = call({
  name: "changePassword",
  summary:
    "Changes the member's own password and ends its other sessions. False when the current password is wrong.",
  method: "PATCH",
  path: "/users/api/user",
  access: "member",
  when: (filled) => passwordFields.some((name) => filled.has(name)),
  exclusiveFields: passwordFields,
  costs: write("account_changes"),
  input: z
    .object({
      password: fields.Credential,
      newPassword: fields.Password,
      newPasswordConfirmation: fields.Credential,
    })
    .check(
      z.refine((form) => form.newPassword === form.newPasswordConfirmation, {
        path: ["newPasswordConfirmation"],
        error: "confirmation_differs",
        when: hasBoth("newPassword", "newPasswordConfirmation"),
      }),
    ),
  response: z.boolean(),
  errors: ["invalid_input", "too_many_requests"],
});
