import { useState } from "react";
import { type ActionFunctionArgs, Link, useLoaderData, useNavigate } from "react-router";
import { useTranslations } from "use-intl";
import { deleteAccount, getOwnUser } from "@alcove/contract/accounts";
import { getCase } from "@alcove/contract/cases";
import { getOrders } from "@alcove/contract/membership";
import { isWithdrawable } from "../../features/purchases/withdrawable.ts";
import {
  FIELD_NAME,
  ReAuthenticationField,
  submitProof,
  useProofCheck,
} from "../../features/re-authentication/re-authentication-field.tsx";
import { api } from "../../lib/api/api.ts";
import { actionResult } from "../../lib/forms/form-result.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { lastDeletion } from "../../lib/session/last-deletion.ts";
import { currentSession, isForCase } from "../../lib/session/session.ts";
import { wipeDevice } from "../../lib/session/wipe-device.ts";
import { hasPurchases } from "../../lib/page/purchases.ts";
import { showError } from "../../lib/page/show-error.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { Icon } from "../../ui/icon.tsx";
import { classNames } from "../../ui/class-names.ts";
import { SheetButtons } from "../../ui/sheet-buttons.tsx";
import { SettingHead } from "./setting-head.tsx";
import noteStyles from "../../ui/styles/note.module.css";

/** A suspended member's login has no own user. */
export async function loader() {
  const [{ user_id, has_password, has_passkey }, { orders }] = await Promise.all([
    isForCase()
      ? api(getCase, {}).then(({ account }) => account)
      : api(getOwnUser, {}).then(({ user }) => user),
    hasPurchases() ? api(getOrders, {}) : { orders: [] },
  ]);
  return { user: { user_id, has_password, has_passkey }, canWithdraw: orders.some(isWithdrawable) };
}

/** Checks the password before the confirmation. */
export async function action({ request }: ActionFunctionArgs) {
  return actionResult(await submitProof(await request.formData()));
}

/** Deletes the account after re-authentication and a confirmation. */
export default function DeleteAccountScreen() {
  const { user, canWithdraw } = useLoaderData<typeof loader>();
  const t = useTranslations("deleteAccount");
  const setting = `${useLanguagePath()}/setting`;
  const [isConfirming, setConfirming] = useState(false);
  const form = useForm<unknown>({
    check: useProofCheck(user),
    onDone: () => setConfirming(true),
  });
  return (
    <div className="stack form--narrow">
      <SettingHead title={t("title")} />
      {canWithdraw && <WithdrawFirst />}
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

function WithdrawFirst() {
  const t = useTranslations("membership");
  const base = useLanguagePath();
  return (
    <div className={classNames(noteStyles.note, noteStyles.lamp)}>
      <Icon name="receipt" />
      <div>
        <p>{t("withdrawBeforeDeleting")}</p>
        <p>
          <Link to={`${base}/purchase-history`}>{t("goToPurchases")}</Link>
        </p>
      </div>
    </div>
  );
}

function ConfirmDeletion({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useTranslations("deleteAccount");
  const base = useLanguagePath();
  const navigate = useNavigate();
  const remove = useAction(
    async () => {
      const token = currentSession()?.refresh ?? null;
      await api(deleteAccount, {});
      lastDeletion.set(token);
      wipeDevice();
      await navigate(`${base}/account-deleted`, { replace: true });
    },
    (error) => {
      showError(error);
      onClose();
    },
  );

  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t("confirmDelete")}>
      <p className="muted">{t("noWayBack")}</p>
      <SheetButtons
        isBusy={remove.isBusy}
        onConfirm={remove.start}
        confirm={t("delete")}
        cancel={t("keep")}
        onCancel={onClose}
        isDanger
      />
    </Sheet>
  );
}
