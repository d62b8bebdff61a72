import { useRef } from "react";
import { useTranslations } from "use-intl";
import { register } from "@alcove/contract/accounts";
import type { InputOf } from "@alcove/contract/call";
import { parseFields, type ValidationErrors } from "@alcove/contract/fields";
import { PASSWORD, USER_ID } from "@alcove/contract/limits";
import { useAction } from "../../lib/forms/use-action.ts";
import { api } from "../../lib/api.ts";
import { ApiError } from "../../lib/errors.ts";
import { banner } from "../../lib/banner.ts";
import { invalidNumbers, useFormErrors } from "../../lib/forms/use-form-errors.ts";
import { errorOf } from "../../lib/forms/form.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Icon } from "../../ui/icon.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { type EmailProof, proofFields } from "./email-proof.ts";

interface ProfileStepProps {
  proof: EmailProof;
  icon: File | null;
  invitedBy: string | null;
  /** The picture, the fields about a person, links and filter: shared with the profile's own screens. */
  picture: (errors: ValidationErrors) => React.ReactNode;
  about: (errors: ValidationErrors) => React.ReactNode;
  onDone: () => void;
  /** The code or Google's token is no longer good: back to the first step. */
  onProofExpired: () => void;
}

/** Last step: the complete profile. Whatever is wrong is said above its field, and nothing that was typed is lost. */
export function ProfileStep({
  proof,
  icon,
  invitedBy,
  picture,
  about,
  onDone,
  onProofExpired,
}: ProfileStepProps) {
  const t = useTranslations("signUp");
  const form = useRef<HTMLFormElement>(null);
  const faults = useFormErrors(form);
  const { errors } = faults;
  const create = useAction(async (profile: InputOf<typeof register>) => {
    await api(register, profile);
    onDone();
  }, tell);

  function tell(error: unknown) {
    if (!(error instanceof ApiError)) return faults.showFailure(error);
    if (error.errors["code"] || error.code === "google_token_refused") {
      banner.alertText(error.message);
      return onProofExpired();
    }
    const willPass = error.code === "too_many_requests" || error.code === "service_unavailable";
    const saysWhat = Object.keys(error.errors).length > 0 || willPass;
    return saysWhat ? faults.showFailure(error) : banner.alert("codes.failed");
  }

  function handleSubmit(sent: HTMLFormElement) {
    const fields = Object.fromEntries(new FormData(sent).entries());
    const raw: Record<string, unknown> = {
      ...fields,
      ...proofFields(proof),
      ...("accessToken" in proof && proof.agreedToSensitive ? { agree_sensitive: "yes" } : {}),
      icon_process: fields["icon_process"] ?? "no",
      invited_by_user_id: invitedBy ?? "",
      ...(icon ? { icon } : {}),
    };
    const reading = parseFields(register.input, raw);
    const unread = invalidNumbers(sent);
    if (reading.ok && Object.keys(unread).length === 0) {
      faults.clear();
      create.start(reading.value);
      return;
    }
    const found = { ...(reading.ok ? {} : reading.errors), ...unread };
    const { userId, date_of_birth } = reading.ok ? reading.value : reading.valid;
    if (userId ?? date_of_birth) void faults.showThenAdd(found, () => faultsAtServer(raw));
    else faults.show(found);
  }

  return (
    <Form ref={form} className="stack-lg" noValidate onSubmit={handleSubmit}>
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
      <Button type="submit" block busy={create.isBusy}>
        {t("create")}
      </Button>
    </Form>
  );
}

/** What the server finds, which knows the user ids and the day. The picture stays here, so that nothing else comes of it. */
async function faultsAtServer(raw: Record<string, unknown>): Promise<ValidationErrors> {
  try {
    await api(register, { ...raw, icon: undefined } as unknown as InputOf<typeof register>);
  } catch (error) {
    if (!(error instanceof ApiError)) return {}; // told when the whole form is sent
    const { icon: _, ...found } = error.errors;
    return found;
  }
  return {};
}
