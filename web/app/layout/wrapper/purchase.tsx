import { useEffect, useEffectEvent } from "react";
import { useRevalidator } from "react-router";
import { useTranslations } from "use-intl";
import { Browser } from "@capacitor/browser";
import { createLoginCode } from "@alcove/contract/accounts";
import { device } from "../../device/browser.ts";
import { api } from "../../lib/api/api.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { settings } from "../../lib/page/settings.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { NativeTexts } from "./native-texts.tsx";
import noteStyles from "../../ui/styles/note.module.css";

/** Leads to the purchase page in the system's browser, where the member is logged in by a code. */
export function NativePurchase() {
  return (
    <NativeTexts>
      <Purchase />
    </NativeTexts>
  );
}

function Purchase() {
  const t = useTranslations("nativeApp");
  const base = useLanguagePath();
  const { revalidate } = useRevalidator();
  const open = useAction(async () => {
    const { code } = await api(createLoginCode, {});
    device.openPage(`${settings.apiOrigin}${base}/app-login#${code}`);
  });

  // The member may have paid meanwhile. iOS shows its browser above the app, which stays visible.
  const refresh = useEffectEvent(() => document.visibilityState === "visible" && void revalidate());
  useEffect(() => {
    document.addEventListener("visibilitychange", refresh);
    const listening = Browser.addListener("browserFinished", refresh);
    return () => {
      document.removeEventListener("visibilitychange", refresh);
      void listening.then(async (listener) => listener.remove());
    };
  }, []);

  return (
    <section className="stack">
      <p className={noteStyles.note}>
        <Icon name="info" />
        <span>{t("buyInBrowser")}</span>
      </p>
      <Button block kind="primary" busy={open.isBusy} onClick={open.start}>
        {t("openBrowser")}
      </Button>
    </section>
  );
}
