import { useTranslations } from "use-intl";
import { exportData, getExportTicket } from "@alcove/contract/accounts";
import { buildRequest } from "@alcove/contract/request";
import { device } from "../../device/browser.ts";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { currentLanguage } from "../../lib/texts/language.ts";
import { settings } from "../../lib/page/settings.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { SettingHead } from "./setting-head.tsx";
import noteStyles from "../../ui/styles/note.module.css";

export default function ExportScreen() {
  const t = useTranslations("deleteAccount");
  const title = useTranslations("settings")("export");
  const download = useAction(async () => {
    const { ticket } = await api(getExportTicket, {});
    const url = `${settings.apiOrigin}${buildRequest(exportData, { ticket }, currentLanguage()).path}`;
    if (device.isNative()) device.openPage(url);
    else save(url);
    banner.notify("deleteAccount.dataComes");
  });
  return (
    <div className="stack form--narrow">
      <SettingHead title={title} />
      <p className="muted">{t("dataText")}</p>
      <div className={noteStyles.note}>
        <Icon name="info" />
        <p>{t("dataCare")}</p>
      </div>
      <Button block busy={download.isBusy} onClick={download.start}>
        {t("download")}
      </Button>
    </div>
  );
}

/** The browser streams the file to disk; the page holds nothing of it. */
function save(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = exportData.file!.name;
  link.click();
}
