import { logInWithPasskey, startPasskeyLogin } from "@alcove/contract/passkeys";
import type { Tokens } from "../../lib/session/session.ts";
import { api } from "../../lib/api/api.ts";
import { ApiError } from "../../lib/api/errors.ts";
import { type Json, offerPasskeys, provePasskey } from "../../ui/webauthn.ts";

/** Asks for a passkey. Returns null if the person cancels. */
export async function askForPasskey(): Promise<Json | null> {
  return provePasskey(await api(startPasskeyLogin, {}));
}

/** Offers passkeys in the field of the user id. Returns null without a choice. */
export async function suggestPasskeys(): Promise<Json | null> {
  return offerPasskeys(() => api(startPasskeyLogin, {}));
}

export async function logInBy(response: Json, device: string | null): Promise<Tokens> {
  return api(logInWithPasskey, { response, device });
}

/** Asks for the passkey that a login needs beside its first proof. Returns null if the person cancels. */
export async function secondFactorFor(error: unknown): Promise<Json | null> {
  const options = error instanceof ApiError && error.code === "passkey_required" ? error.options : null;
  return options && provePasskey(options);
}
