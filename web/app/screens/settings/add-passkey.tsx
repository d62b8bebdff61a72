import { useTranslations } from "use-intl";
import { addPasskey, type Passkeys, startPasskey } from "@alcove/contract/passkeys";
import type { User } from "@alcove/contract/users";
import {
  FIELD_NAME,
  ReAuthenticationField,
  submitWithProof,
  useProofCheck,
  wrongProof,
} from "../../features/re-authentication/re-authentication-field.tsx";
import { api } from "../../lib/api/api.ts";
import { pickErrors } from "../../lib/forms/form.ts";
import { formResult, type FormResult, type Problems } from "../../lib/forms/form-result.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { banner } from "../../lib/page/banner.ts";
import type { Json } from "../../ui/webauthn.ts";
import { currentLanguage } from "../../lib/texts/language.ts";
import { textsOf } from "../../lib/texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import noteStyles from "../../ui/styles/note.module.css";

/** The account's name in the password manager. Only the device gets it. */
const ACCOUNT = "account";

interface AddPasskeyProps {
  user: User;
  /** The place of the new passkey in the list. */
  number: number;
}

export function AddPasskey({ user, number }: AddPasskeyProps) {
  const t = useTranslations("passkeys");
  const checkProof = useProofCheck(user);
  const form = useForm<Passkeys>({
    check(fields): Problems {
      const word = new FormData();
      word.set("name", textIn(fields, ACCOUNT));
      const { name: account } = pickErrors(addPasskey, word, ["name"]);
      return {
        ...(account && { [ACCOUNT]: account }),
        ...pickErrors(addPasskey, fields, ["name"]),
        ...checkProof(fields),
      };
    },
    complete: (fields) => fields.set("intent", "add"),
    onDone() {
      banner.notify("passkeys.added");
      form.props.ref.current?.reset();
    },
  });
  return (
    <section className="stack" aria-labelledby="add-passkey">
      <h2 id="add-passkey">{t("addTitle")}</h2>
      <div className={noteStyles.note}>
        <Icon name="info" />
        <p>{t("shared")}</p>
      </div>
      {/* The key gives the next passkey its number. */}
      <Form {...form.props} className="stack" key={number}>
        <TextField
          label={t("account")}
          name={ACCOUNT}
          defaultValue={t("presetName")}
          hint={t("accountHint")}
          autoComplete="off"
          {...form.errorsOf(ACCOUNT)}
          required
        />
        <TextField
          label={t("name")}
          name="name"
          defaultValue={t("presetPasskey", { number: String(number) })}
          hint={t("nameHint")}
          autoComplete="off"
          {...form.errorsOf("name")}
          required
        />
        <ReAuthenticationField user={user} errors={form.errorsOf(FIELD_NAME)} />
        <Button type="submit" block busy={form.isBusy}>
          {t("add")}
        </Button>
      </Form>
    </section>
  );
}

/** Confirms the member, creates the passkey on the device, and stores it. */
export async function submitNewPasskey(form: FormData): Promise<FormResult<Passkeys>> {
  const options = await submitWithProof(form, (proof) => api(startPasskey, proof));
  if (!options.ok) return options;
  const { createPasskey } = await import("../../ui/webauthn.ts");
  const created = await createPasskey(withAccount(options.value, textIn(form, ACCOUNT))).catch(
    (error: unknown) => problemOf(error),
  );
  if ("problems" in created) return created as FormResult<Passkeys>;
  return formResult(() => api(addPasskey, { name: textIn(form, "name"), response: created }));
}

function withAccount(options: Json, account: string): Json {
  const user = options["user"] as Json;
  return { ...options, user: { ...user, name: account, displayName: account } };
}

/** The device returns only whether it has a passkey already. */
function problemOf(error: unknown): FormResult<never> {
  const isThere = error instanceof DOMException && error.name === "InvalidStateError";
  if (!isThere) return wrongProof("cancelled");
  const text = textsOf(currentLanguage()).passkeys.alreadyHere;
  return { ok: false, problems: { [ACCOUNT]: [{ text }] }, error: null };
}

function textIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value.trim() : "";
}
