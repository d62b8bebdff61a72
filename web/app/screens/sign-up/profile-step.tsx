import { useRef } from "react";
import { useTranslations } from "use-intl";
import { register } from "@alcove/contract/accounts";
import type { InputOf } from "@alcove/contract/call";
import { parseFields, type ValidationErrors } from "@alcove/contract/fields";
import { USER_ID } from "@alcove/contract/limits";
import { NewPasswordFields } from "../../features/new-password/new-password-fields.tsx";
import { api } from "../../lib/api.ts";
import { banner } from "../../lib/banner.ts";
import { ApiError } from "../../lib/errors.ts";
import { errorOf } from "../../lib/forms/form.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { invalidNumbers, useFormErrors } from "../../lib/forms/use-form-errors.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/forms/field.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { Icon } from "../../ui/icon.tsx";
import { type EmailProof, proofFields } from "./email-proof.ts";

interface ProfileStepProps {
  proof: EmailProof;
  icon: File | null;
  invitedBy: string | null;
  /** Parts that the profile settings share. */
  picture: (errors: ValidationErrors) => React.ReactNode;
  about: (errors: ValidationErrors) => React.ReactNode;
  onDone: () => void;
  onProofExpired: () => void;
}

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
  const formErrors = useFormErrors(form);
  const { errors } = formErrors;
  const create = useAction(async (profile: InputOf<typeof register>) => {
    await api(register, profile);
    onDone();
  }, showFailure);

  function showFailure(error: unknown) {
    if (!(error instanceof ApiError)) return formErrors.showFailure(error);
    if (error.errors["code"] || error.code === "google_token_refused") {
      banner.alertText(error.message);
      return onProofExpired();
    }
    const isTemporary = error.code === "too_many_requests" || error.code === "service_unavailable";
    const isExplained = Object.keys(error.errors).length > 0 || isTemporary;
    return isExplained ? formErrors.showFailure(error) : banner.alert("codes.failed");
  }

  function handleSubmit(element: HTMLFormElement) {
    const fields = Object.fromEntries(new FormData(element).entries());
    const raw: Record<string, unknown> = {
      ...fields,
      ...proofFields(proof),
      ...("accessToken" in proof && proof.agreedToSensitive ? { agree_sensitive: "yes" } : {}),
      icon_process: fields["icon_process"] ?? "no",
      invited_by_user_id: invitedBy ?? "",
      ...(icon ? { icon } : {}),
    };
    const parsed = parseFields(register.input, raw);
    const invalid = invalidNumbers(element);
    if (parsed.ok && Object.keys(invalid).length === 0) {
      formErrors.clear();
      create.start(parsed.value);
      return;
    }
    const found = { ...(parsed.ok ? {} : parsed.errors), ...invalid };
    const { userId, date_of_birth } = parsed.ok ? parsed.value : parsed.valid;
    if (userId ?? date_of_birth) void formErrors.showThenAdd(found, () => serverErrors(raw));
    else formErrors.show(found);
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
        <NewPasswordFields
          password={{ label: t("password"), name: "password", error: errorOf(errors, "password") }}
          confirmation={{
            label: t("passwordAgain"),
            name: "passwordConfirmation",
            error: errorOf(errors, "password_confirmation"),
          }}
        />
      </section>
      {about(errors)}
      <Button type="submit" block busy={create.isBusy}>
        {t("create")}
      </Button>
    </Form>
  );
}

/**
 * Returns errors that only the server finds, such as a wrong age. The picture is left out, so that no account
 * is created.
 */
async function serverErrors(raw: Record<string, unknown>): Promise<ValidationErrors> {
  try {
    await api(register, { ...raw, icon: undefined } as unknown as InputOf<typeof register>);
  } catch (error) {
    if (!(error instanceof ApiError)) return {}; // shown when the complete form is sent
    const { icon: _, ...found } = error.errors;
    return found;
  }
  return {};
}
