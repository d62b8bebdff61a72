import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { useTranslations } from "use-intl";
import { deleteAccount, exportData, getExportTicket, getOwnUser } from "@alcove/contract/accounts";
import { buildRequest } from "@alcove/contract/request";
import type { User } from "@alcove/contract/users";
import {
  ReAuthenticationField,
  reAuthenticate,
} from "../../features/re-authentication/re-authentication-field.tsx";
import { api } from "../../lib/api.ts";
import { banner } from "../../lib/banner.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { currentLanguage } from "../../lib/language.ts";
import { wipeDevice } from "../../lib/session/wipe-device.ts";
import { settings } from "../../lib/settings.ts";
import { showError } from "../../lib/show-error.ts";
import { useLanguagePath } from "../../lib/use-language-path.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { Route } from "./+types/delete-account";

export async function clientLoader() {
  return api(getOwnUser, {});
}

export default function DeleteAccountScreen({ loaderData: { user } }: Route.ComponentProps) {
  const t = useTranslations("deleteAccount");
  return (
    <div className="stack-lg">
      <div className="screen-head">
        <h1>{t("title")}</h1>
      </div>
      <OwnData />
      <DeletionForm user={user} />
    </div>
  );
}

function OwnData() {
  const t = useTranslations("deleteAccount");
  const download = useAction(async () => {
    const { ticket } = await api(getExportTicket, {});
    save(`${settings.apiOrigin}${buildRequest(exportData, { ticket }, currentLanguage()).path}`);
    banner.notify("deleteAccount.dataComes");
  });

  return (
    <section className="stack" aria-labelledby="own-data">
      <h2 id="own-data">{t("dataTitle")}</h2>
      <p className="muted">{t("dataText")}</p>
      <div className="note">
        <Icon name="info" />
        <p>{t("dataCare")}</p>
      </div>
      <Button kind="quiet" block busy={download.isBusy} onClick={download.start}>
        {t("download")}
      </Button>
    </section>
  );
}

/** The browser streams the file to disk; the page holds nothing of it. */
function save(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = exportData.file!.name;
  link.click();
}

/** Deletes the account after re-authentication and a confirmation. */
function DeletionForm({ user }: { user: User }) {
  const t = useTranslations("deleteAccount");
  const form = useRef<HTMLFormElement>(null);
  const [isWrong, setWrong] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const confirm = useAction(async (fields: FormData) => {
    const isRight = await reAuthenticate(user, fields);
    setWrong(!isRight);
    setConfirming(isRight);
    if (!isRight) form.current?.querySelector("input")?.focus();
  });

  function handleSubmit(element: HTMLFormElement) {
    confirm.start(new FormData(element));
  }

  return (
    <section className="stack" aria-labelledby="leaving">
      <h2 id="leaving">{t("leaveTitle")}</h2>
      <p className="muted">{t("leaveText")}</p>
      <Form className="stack" ref={form} onSubmit={handleSubmit}>
        <ReAuthenticationField user={user} isWrong={isWrong} />
        <Button type="submit" kind="danger" block busy={confirm.isBusy}>
          {t("delete")}
        </Button>
      </Form>
      <ConfirmDeletion isOpen={isConfirming} onClose={() => setConfirming(false)} />
    </section>
  );
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
