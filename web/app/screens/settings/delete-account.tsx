import { useState } from "react";
import { Link, useNavigate } from "react-router";
import { useTranslations } from "use-intl";
import { confirmPassword, deleteAccount, getOwnUser } from "@alcove/contract/accounts";
import {
  FIELD_NAME,
  ReAuthenticationField,
} from "../../features/re-authentication/re-authentication-field.tsx";
import { api } from "../../lib/api.ts";
import { banner } from "../../lib/banner.ts";
import { actionResult, formResult, type Problems } from "../../lib/forms/submit-form.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { textsOf } from "../../lib/texts.ts";
import { currentLanguage } from "../../lib/language.ts";
import { wipeDevice } from "../../lib/session/wipe-device.ts";
import { showError } from "../../lib/show-error.ts";
import { useLanguagePath } from "../../lib/use-language-path.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import { Form } from "../../ui/forms/form.tsx";
import type { Route } from "./+types/delete-account";
import { SettingHead } from "./saved.tsx";

export async function clientLoader() {
  return api(getOwnUser, {});
}

/** Checks the password before the confirmation. A member without one types their user id, which the page checks. */
export async function clientAction({ request }: Route.ClientActionArgs) {
  const form = await request.formData();
  const password = form.get(FIELD_NAME);
  if (form.get("kind") !== "password" || typeof password !== "string")
    return actionResult({ ok: true, value: null });
  const result = await formResult(() => api(confirmPassword, { password }));
  if (!result.ok || result.value) return actionResult(result);
  const text = textsOf(currentLanguage()).deleteAccount.wrongPassword;
  return actionResult({ ok: false, problems: { [FIELD_NAME]: [{ text }] }, error: null });
}

/** Deletes the account after re-authentication and a confirmation. */
export default function DeleteAccountScreen({ loaderData: { user } }: Route.ComponentProps) {
  const t = useTranslations("deleteAccount");
  const setting = `${useLanguagePath()}/setting`;
  const [isConfirming, setConfirming] = useState(false);
  const form = useForm<unknown>({
    check(fields): Problems {
      const typed = textIn(fields, FIELD_NAME);
      if (typed === "") return { [FIELD_NAME]: ["required"] };
      const isWrong = !user.has_password && typed.toLowerCase() !== user.user_id.toLowerCase();
      return isWrong ? { [FIELD_NAME]: [{ text: t("wrongUserId") }] } : {};
    },
    complete: (fields) => fields.set("kind", user.has_password ? "password" : "user_id"),
    onDone: () => setConfirming(true),
  });
  return (
    <div className="stack form--narrow">
      <SettingHead title={t("title")} />
      <p className="muted">{t("leaveText")}</p>
      <p>
        <Link to={`${setting}/export`}>{t("download")}</Link>
      </p>
      <Form {...form.props} className="stack">
        <ReAuthenticationField user={user} errors={form.errorsOf(FIELD_NAME)} />
        <Button type="submit" kind="danger" block busy={form.isBusy}>
          {t("delete")}
        </Button>
      </Form>
      <ConfirmDeletion isOpen={isConfirming} onClose={() => setConfirming(false)} />
    </div>
  );
}

function textIn(fields: FormData, name: string): string {
  const value = fields.get(name);
  return typeof value === "string" ? value.trim() : "";
}

function ConfirmDeletion({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useTranslations("deleteAccount");
  const base = useLanguagePath();
  const navigate = useNavigate();
  const remove = useAction(
    async () => {
      await api(deleteAccount, {});
      wipeDevice();
      banner.notify("deleteAccount.done");
      await navigate(`${base}/login`, { replace: true });
    },
    (error) => {
      showError(error);
      onClose();
    },
  );

  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t("confirmDelete")}>
      <p className="muted">{t("noWayBack")}</p>
      <div className="sheet__actions">
        <Button kind="danger" busy={remove.isBusy} onClick={remove.start}>
          {t("delete")}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {t("keep")}
        </Button>
      </div>
    </Sheet>
  );
}
