import { type ActionFunctionArgs, useLoaderData } from "react-router";
import { useTranslations } from "use-intl";
import { exportData, getExportTicket, getOwnUser } from "@alcove/contract/accounts";
import { getCase } from "@alcove/contract/cases";
import { buildRequest } from "@alcove/contract/request";
import {
  type Account,
  FIELD_NAME,
  ReAuthenticationField,
  submitProof,
  useProofCheck,
} from "../../features/re-authentication/re-authentication-field.tsx";
import { device } from "../../device/browser.ts";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { actionResult } from "../../lib/forms/form-result.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { currentLanguage } from "../../lib/texts/language.ts";
import { settings } from "../../lib/page/settings.ts";
import { isForCase } from "../../lib/session/session.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { Icon } from "../../ui/icon.tsx";
import { SettingHead } from "./setting-head.tsx";
import noteStyles from "../../ui/styles/note.module.css";

/** A suspended member's login has no own user. */
export async function loader() {
  return isForCase()
    ? api(getCase, {}).then(({ account }) => account)
    : api(getOwnUser, {}).then(({ user }) => user);
}

/** Checks the passkey before the download. */
export async function action({ request }: ActionFunctionArgs) {
  return actionResult(await submitProof(await request.formData()));
}

export default function ExportScreen() {
  const user = useLoaderData<typeof loader>();
  const t = useTranslations("deleteAccount");
  const title = useTranslations("settings")("export");
  return (
    <div className="stack form--narrow">
      <SettingHead title={title} />
      <p className="muted">{t("dataText")}</p>
      <div className={noteStyles.note}>
        <Icon name="info" />
        <p>{t("dataCare")}</p>
      </div>
      {user.has_passkey ? <ConfirmedDownload user={user} /> : <Download />}
    </div>
  );
}

function Download() {
  const t = useTranslations("deleteAccount");
  const download = useDownload();
  return (
    <Button block busy={download.isBusy} onClick={download.start}>
      {t("download")}
    </Button>
  );
}

function ConfirmedDownload({ user }: { user: Account }) {
  const t = useTranslations("deleteAccount");
  const download = useDownload();
  const form = useForm<unknown>({ check: useProofCheck(user), onDone: download.start });
  return (
    <Form {...form.props} className="stack">
      <ReAuthenticationField user={user} errors={form.errorsOf(FIELD_NAME)} />
      <Button type="submit" block busy={form.isBusy || download.isBusy}>
        {t("download")}
      </Button>
    </Form>
  );
}

function useDownload() {
  return useAction(async () => {
    const { ticket } = await api(getExportTicket, {});
    const url = `${settings.apiOrigin}${buildRequest(exportData, { ticket }, currentLanguage()).path}`;
    if (device.isNative()) device.openPage(url);
    else save(url);
    banner.notify("deleteAccount.dataComes");
  });
}

/** The browser streams the file to disk; the page holds nothing of it. */
function save(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = exportData.file!.name;
  link.click();
}
