import * as z from "zod/mini";
import { Tokens } from "./accounts.ts";
import { call } from "./call.ts";
import { FREE, READ, write } from "./costs.ts";
import * as fields from "./fields.ts";
import { WebAuthnJson } from "./fields.ts";
import { PASSKEY_ID_MAX, PASSKEY_NAME_MAX } from "./limits.ts";

/** A credential's id in WebAuthn, as base64url. */
export const PasskeyId = fields.text(PASSKEY_ID_MAX);

const Name = fields.line(PASSKEY_NAME_MAX);

const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  /** Days (UTC). */
  created_on: z.string(),
  used_on: z.nullable(z.string()),
});
export type Passkey = z.infer<typeof Passkey>;

const Passkeys = z.object({
  passkeys: z.array(Passkey),
  second_factor: z.boolean(),
  recovery_codes: z.number(),
});
export type Passkeys = z.infer<typeof Passkeys>;

export const getPasskeys = call({
  name: "getPasskeys",
  summary: "Returns the caller's passkeys, oldest first.",
  method: "GET",
  path: "/users/api/passkeys",
  access: "member",
  costs: READ,
  input: z.object({}),
  response: Passkeys,
});

export const startPasskey = call({
  name: "startPasskey",
  summary:
    "Returns WebAuthn's options to create a passkey, after a check with the password or with another passkey. Members with neither need no check.",
  method: "POST",
  path: "/users/api/passkeys/options",
  access: "member",
  withoutConsent: true,
  costs: write("account_changes"),
  input: z.object({
    password: fields.fillable(fields.Credential),
    response: fields.fillable(WebAuthnJson),
  }),
  response: WebAuthnJson,
  errors: ["invalid_input", "not_confirmed", "passkeys_full", "too_many_requests"],
});

export const addPasskey = call({
  name: "addPasskey",
  summary: "Adds the passkey that was created with options of the last 15 minutes and of this session.",
  method: "POST",
  path: "/users/api/passkeys",
  access: "member",
  withoutConsent: true,
  costs: write("account_changes"),
  input: z.object({ name: Name, response: WebAuthnJson }),
  response: Passkeys,
  errors: ["invalid_input", "not_confirmed", "passkeys_full"],
});

export const setSecondFactor = call({
  name: "setSecondFactor",
  summary: "Sets whether a login with the password asks for a passkey too.",
  method: "PATCH",
  path: "/users/api/passkeys",
  access: "member",
  withoutConsent: true,
  when: (filled) => filled.has("second_factor"),
  costs: write("account_changes"),
  input: z.object({ second_factor: z.boolean() }),
  response: Passkeys,
  errors: ["invalid_input", "passkey_missing"],
});

export const renamePasskey = call({
  name: "renamePasskey",
  summary: "Renames one of the caller's passkeys.",
  method: "PATCH",
  path: "/users/api/passkeys",
  access: "member",
  withoutConsent: true,
  when: (filled) => filled.has("id") || filled.has("name"),
  costs: write("account_changes"),
  input: z.object({ id: PasskeyId, name: Name }),
  response: Passkeys,
  errors: ["invalid_input", "passkey_not_found"],
});

export const removePasskey = call({
  name: "removePasskey",
  summary: "Removes one of the caller's passkeys. Without the last one the second factor is off.",
  method: "DELETE",
  path: "/users/api/passkeys",
  access: "member",
  withoutConsent: true,
  costs: write("account_changes"),
  input: z.object({ id: PasskeyId }),
  response: Passkeys,
  errors: ["invalid_input", "passkey_not_found"],
});

export const createRecoveryCodes = call({
  name: "createRecoveryCodes",
  summary:
    "Returns eight codes, each for one use in place of a passkey. Earlier ones end. More than 15 minutes after the login, members with a password or passkey prove one of them.",
  method: "POST",
  path: "/users/api/recovery-codes",
  access: "member",
  withoutConsent: true,
  costs: write("recovery_codes", { max: 10, per: "hour" }),
  input: z.object({
    password: fields.fillable(fields.Credential),
    response: fields.fillable(WebAuthnJson),
  }),
  response: z.object({ codes: z.array(z.string()) }),
  errors: ["invalid_input", "not_confirmed", "too_many_requests"],
});

export const startPasskeyLogin = call({
  name: "startPasskeyLogin",
  summary: "Returns WebAuthn's options to log in, the same for everybody. They are valid for 15 minutes.",
  method: "POST",
  path: "/api/passkey/options",
  access: "visitor",
  costs: FREE,
  input: z.object({}),
  response: WebAuthnJson,
});

export const logInWithPasskey = call({
  name: "logInWithPasskey",
  summary:
    "Opens a session with a passkey that checked its owner. It needs no password, no second factor and no bot check.",
  method: "POST",
  path: "/api/passkey/token",
  access: "visitor",
  costs: FREE,
  input: z.object({
    response: WebAuthnJson,
    device: z.optional(z.nullable(z.string())),
  }),
  response: Tokens,
  errors: ["invalid_input", "wrong_passkey", "too_many_requests"],
});
