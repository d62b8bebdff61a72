import type { ReactNode } from "react";
import type { ResponseOf } from "@alcove/contract/call";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import { resetPassword } from "@alcove/contract/passwords";
import { NewPasswordFields } from "../../features/new-password/new-password-fields.tsx";
import { banner } from "../../lib/page/banner.ts";
import { pickErrors } from "../../lib/forms/form.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Wizard } from "../../ui/wizard/wizard.tsx";

interface NewPasswordStepProps {
  steps: ReactNode;
  email: string;
  code: string;
  onDone: (userId: string) => void;
  onCodeExpired: () => void;
}

export function NewPasswordStep({ steps, email, code, onDone, onCodeExpired }: NewPasswordStepProps) {
  const t = useTranslations("passwords");
  const codes = useTranslations("codes");
  const base = useLanguagePath();
  const form = useForm<ResponseOf<typeof resetPassword>>({
    check: (fields) => pickErrors(resetPassword, fields, ["password", "password_confirmation"]),
    complete(fields) {
      fields.set("intent", "save");
      fields.set("email", email);
      fields.set("code", code);
      fields.set("return_user_id", "yes");
    },
    firstAlert: "codes.failed",
    onDone(result) {
      if (typeof result === "object") return onDone(result.user_id);
      banner.alert("codes.failed");
      onCodeExpired();
    },
  });
  return (
    <Wizard
      {...form.props}
      steps={steps}
      title={t("newTitle")}
      back={
        <Link className={buttonClass({ kind: "ghost" })} to={`${base}/login`}>
          {codes("back")}
        </Link>
      }
      action={t("save")}
      isBusy={form.isBusy}
    >
      <NewPasswordFields
        password={{ label: t("newPassword"), name: "password", ...form.errorsOf("password") }}
        confirmation={{
          label: t("newPasswordAgain"),
          name: "passwordConfirmation",
          ...form.errorsOf("passwordConfirmation"),
        }}
        autoFocus
      />
    </Wizard>
  );
}
