import { useState } from "react";
import { useTranslations } from "use-intl";
import { confirmPassword } from "@alcove/contract/accounts";
import { startPasskeyLogin } from "@alcove/contract/passkeys";
import type { User } from "@alcove/contract/users";
import { api } from "../../lib/api/api.ts";
import { ApiError } from "../../lib/api/errors.ts";
import { currentLanguage } from "../../lib/texts/language.ts";
import { formResult, type FormResult, type Problems } from "../../lib/forms/form-result.ts";
import type { ShownErrors } from "../../lib/forms/use-form-errors.ts";
import { offersPasskeys } from "../../lib/passkeys/offers-passkeys.ts";
import type { Json } from "../../ui/webauthn.ts";
import { textsOf } from "../../lib/texts/texts.ts";
import { FieldErrorText, TextField, useErrorText } from "../../ui/forms/field.tsx";
import { PasswordField } from "../../ui/forms/password-field.tsx";
import { Icon } from "../../ui/icon.tsx";
import buttonStyles from "../../ui/button.module.css";
import noteStyles from "../../ui/styles/note.module.css";

export const FIELD_NAME = "proof";

/** The kind of proof that a form has. */
type Kind = "passkey" | "password" | "user_id";

export type Account = Pick<User, "user_id" | "has_password" | "has_passkey">;

interface ReAuthenticationFieldProps {
  user: Account;
  errors: ShownErrors;
}

/** A passkey where the member has one, else the password, else the user id of a member without both. */
export function ReAuthenticationField({ user, errors }: ReAuthenticationFieldProps) {
  const [isLost, setLost] = useState(false);
  const kind = isLost ? otherThanPasskey(user) : kindFor(user);
  return (
    <>
      <input type="hidden" name="kind" value={kind} />
      {kind === "passkey" ? (
        <PasskeyNote errors={errors} onLost={() => setLost(true)} />
      ) : (
        <TypedProof user={user} errors={errors} autoFocus={isLost} />
      )}
    </>
  );
}

const otherThanPasskey = ({ has_password }: Account): Kind => (has_password ? "password" : "user_id");

const kindFor = (user: Account): Kind =>
  user.has_passkey && offersPasskeys() ? "passkey" : otherThanPasskey(user);

interface TypedProofProps extends ReAuthenticationFieldProps {
  autoFocus: boolean;
}

function TypedProof({ user, errors, autoFocus }: TypedProofProps) {
  const t = useTranslations("deleteAccount");
  const field = { name: FIELD_NAME, required: true, autoFocus, ...errors } as const;
  return user.has_password ? (
    <PasswordField {...field} label={t("password")} autoComplete="current-password" />
  ) : (
    <TextField
      {...field}
      label={t("userId", { userId: user.user_id })}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
    />
  );
}

/** The device asks for the passkey when the form is sent. */
function PasskeyNote({ errors, onLost }: { errors: ShownErrors; onLost: () => void }) {
  const t = useTranslations("passkeys");
  const error = useErrorText(errors.error);
  return (
    <div className={noteStyles.note}>
      <Icon name="passkey" />
      <div className="stack-sm">
        <p>{t("confirmHere")}</p>
        {error && <FieldErrorText>{error}</FieldErrorText>}
        <button type="button" className={buttonStyles.linkButton} onClick={onLost}>
          {t("otherProof")}
        </button>
      </div>
    </div>
  );
}

/** The page's own check; that of a user id is complete. */
export function useProofCheck(user: Account): (form: FormData) => Problems {
  const t = useTranslations("deleteAccount");
  return (form): Problems => {
    const kind = kindIn(form);
    const typed = proofIn(form).trim();
    if (kind === "passkey") return {};
    if (typed === "") return { [FIELD_NAME]: ["required"] };
    if (kind === "password" || typed.toLowerCase() === user.user_id.toLowerCase()) return {};
    return { [FIELD_NAME]: [{ text: t("wrongUserId") }] };
  };
}

/** The fields of a call that takes a proof. */
export interface Proof {
  readonly password?: string;
  readonly response?: Json;
}

/** Reads the proof of a form, and asks for the passkey. A user id is no proof to the server. */
export async function readProof(form: FormData): Promise<FormResult<Proof>> {
  const kind = kindIn(form);
  if (kind === "password") return { ok: true, value: { password: proofIn(form) } };
  if (kind === "user_id") return { ok: true, value: {} };
  const result = await formResult(askForPasskey);
  if (!result.ok) return result;
  return result.value === null ? wrongProof("cancelled") : { ok: true, value: { response: result.value } };
}

/** Null if the member cancelled. */
export async function askForPasskey(): Promise<Json | null> {
  const [{ provePasskey }, options] = await Promise.all([
    import("../../ui/webauthn.ts"),
    api(startPasskeyLogin, {}),
  ]);
  return provePasskey(options);
}

/** Sends the proof of a form with the call that needs it. */
export async function submitWithProof<T>(
  form: FormData,
  send: (proof: Proof) => Promise<T>,
): Promise<FormResult<T>> {
  const proof = await readProof(form);
  if (!proof.ok) return proof;
  const result = await formResult(() => send(proof.value));
  return !result.ok && isUnconfirmed(result.error) ? wrongProof(kindIn(form)) : result;
}

const isUnconfirmed = (error: unknown): boolean =>
  error instanceof ApiError && error.code === "not_confirmed";

/** Checks the proof of a form on the server. */
export async function submitProof(form: FormData): Promise<FormResult<unknown>> {
  const read = await readProof(form);
  if (!read.ok || kindIn(form) === "user_id") return read;
  const result = await formResult(() => api(confirmPassword, read.value));
  return !result.ok || result.value ? result : wrongProof(kindIn(form));
}

/** The problem of a proof that the server did not accept, or that the person did not give. */
export function wrongProof(kind: Kind | "cancelled"): FormResult<never> {
  const { deleteAccount, passkeys } = textsOf(currentLanguage());
  const text = kind === "password" ? deleteAccount.wrongPassword : passkeys.cancelled;
  return { ok: false, problems: { [FIELD_NAME]: [{ text }] }, error: null };
}

function kindIn(form: FormData): Kind {
  const kind = form.get("kind");
  return kind === "passkey" || kind === "user_id" ? kind : "password";
}

function proofIn(form: FormData): string {
  const value = form.get(FIELD_NAME);
  return typeof value === "string" ? value : "";
}
