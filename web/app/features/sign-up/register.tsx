import { useRef, useState, type FormEvent } from "react";
import { useTranslations } from "use-intl";
import { register } from "@alcove/contract/accounts";
import type { InputOf } from "@alcove/contract/call";
import { readFields, type FieldMessage, type ValidationErrors } from "@alcove/contract/fields";
import { PASSWORD, USER_ID } from "@alcove/contract/limits";
import { api, Refused } from "../../lib/api.ts";
import { banner } from "../../lib/banner.ts";
import { tellFailure } from "../../lib/failures.ts";
import { errorOf } from "../../lib/form.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icon.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { type Proof, proofFields } from "./proof.ts";

interface RegisterProps {
  proof: Proof;
  icon: File | null;
  invitedBy: string | null;
  /** The picture, the fields about a person, links and filter: shared with the profile's own screens. */
  picture: (errors: ValidationErrors) => React.ReactNode;
  about: (errors: ValidationErrors) => React.ReactNode;
  onDone: () => void;
  /** The code or Google's token is no longer good: back to the first step. */
  onProofLost: () => void;
}

/** Last step: the complete profile. Whatever is wrong is said above its field, and nothing that was typed is lost. */
export function Register({ proof, icon, invitedBy, picture, about, onDone, onProofLost }: RegisterProps) {
  const t = useTranslations("signUp");
  const tf = useTranslations("fields");
  const form = useRef<HTMLFormElement>(null);
  const [errors, setErrors] = useState<ValidationErrors>({});
  const [isBusy, setBusy] = useState(false);

  function showErrors(found: ValidationErrors) {
    setErrors(found);
    banner.alertText(sentenceFor(Object.values(found).flat()));
    // After the errors are on screen: the first field that is wrong.
    requestAnimationFrame(() =>
      form.current
        ?.querySelector<HTMLElement>('[aria-invalid="true"], .error ~ .picture-row button')
        ?.focus(),
    );
  }

  /** Two faults have an alert of their own (specification, section 5); an empty field says little without its name. */
  function sentenceFor(found: FieldMessage[]): string {
    const own = (["password_mismatch", "icon_required"] as const).find((message) => found.includes(message));
    const telling = own ?? found.find((message) => message !== "required");
    return telling ? tf(telling) : t("checkFields");
  }

  async function handleSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = Object.fromEntries(new FormData(event.currentTarget).entries());
    const raw: Record<string, unknown> = {
      ...fields,
      ...proofFields(proof),
      ...("accessToken" in proof && proof.agreedToSensitive ? { agree_sensitive: "yes" } : {}),
      icon_process: fields["icon_process"] ?? "no",
      invited_by_user_id: invitedBy ?? "",
      ...(icon ? { icon } : {}),
    };
    const reading = readFields(register.input, raw);
    if (!reading.ok) {
      showErrors(reading.errors);
      return;
    }
    setBusy(true);
    setErrors({});
    try {
      await api(register, reading.value as InputOf<typeof register>);
      onDone();
    } catch (error) {
      if (!(error instanceof Refused)) tellFailure(error);
      else if (error.errors["code"] || error.code === "google_token_refused") {
        banner.alertText(error.message);
        onProofLost();
      } else if (Object.keys(error.errors).length > 0) showErrors(error.errors);
      else if (error.code === "too_many_requests") tellFailure(error);
      else banner.alert("signUp.failed");
    } finally {
      setBusy(false);
    }
  }

  return (
    <form ref={form} className="stack-lg" noValidate onSubmit={(event) => void handleSubmit(event)}>
      <div className="stack-sm">
        <h1>{t("profileTitle")}</h1>
        <p className="muted">{t("profileLead")}</p>
      </div>
      {picture(errors)}
      <section className="stack">
        <h2>{t("signingIn")}</h2>
        {"accessToken" in proof && (
          <p className="row">
            <strong>{proof.email}</strong>
            <span className="badge">
              <Icon name="check" />
              {t("confirmedByGoogle")}
            </span>
          </p>
        )}
        <TextField
          label={t("userId")}
          name="userId"
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={USER_ID.max}
          error={errorOf(errors, "user_id")}
          required
        />
        <PasswordField
          label={t("password")}
          name="password"
          autoComplete="new-password"
          maxLength={PASSWORD.max}
          error={errorOf(errors, "password")}
          required
        />
        <PasswordField
          label={t("passwordAgain")}
          name="passwordConfirmation"
          autoComplete="new-password"
          maxLength={PASSWORD.max}
          error={errorOf(errors, "password_confirmation")}
          required
        />
      </section>
      {about(errors)}
      <Button type="submit" block busy={isBusy}>
        {t("create")}
      </Button>
    </form>
  );
}
