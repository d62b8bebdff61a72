import { type ActionFunctionArgs, useLoaderData } from "react-router";
import { useTranslations } from "use-intl";
import { getOwnUser } from "@alcove/contract/accounts";
import { changePassword } from "@alcove/contract/passwords";
import { NewPasswordFields } from "../../features/new-password/new-password-fields.tsx";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { pickErrors } from "../../lib/forms/form.ts";
import { currentLanguage } from "../../lib/texts/language.ts";
import { actionResult } from "../../lib/forms/form-result.ts";
import { submitForm } from "../../lib/forms/submit-form.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { textsOf } from "../../lib/texts/texts.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { PasswordField } from "../../ui/forms/password-field.tsx";
import { SettingHead } from "./setting-head.tsx";

export async function loader() {
  return api(getOwnUser, {});
}

export async function action({ request }: ActionFunctionArgs) {
  const result = await submitForm(changePassword, await request.formData());
  if (!result.ok || result.value) return actionResult(result);
  const text = textsOf(currentLanguage()).passwords.incorrect;
  return actionResult({ ok: false, problems: { password: [{ text }] }, error: null });
}

export default function PasswordScreen() {
  const { user } = useLoaderData<typeof loader>();
  const title = useTranslations("settings")("password");
  const none = useTranslations("settings")("passwordNoneText");
  return (
    <div className="form--narrow">
      <SettingHead title={title} />
      {user.has_password ? <ChangePassword /> : <p className="muted">{none}</p>}
    </div>
  );
}

function ChangePassword() {
  const t = useTranslations("passwords");
  const form = useForm<unknown>({
    check: (fields) =>
      pickErrors(changePassword, fields, ["password", "new_password", "new_password_confirmation"]),
    onDone() {
      form.props.ref.current?.reset();
      banner.notify("passwords.changed");
    },
  });
  return (
    <Form {...form.props} className="stack">
      <PasswordField
        label={t("current")}
        name="password"
        autoComplete="current-password"
        {...form.errorsOf("password")}
        required
      />
      <NewPasswordFields
        password={{ label: t("newPassword"), name: "newPassword", ...form.errorsOf("newPassword") }}
        confirmation={{
          label: t("newPasswordAgain"),
          name: "newPasswordConfirmation",
          ...form.errorsOf("newPasswordConfirmation"),
        }}
      />
      <Button type="submit" block busy={form.isBusy}>
        {t("change")}
      </Button>
    </Form>
  );
}
