import { useTranslations } from "use-intl";
import type { User } from "@alcove/contract/users";
import { device } from "../../device/browser.ts";
import { banner } from "../../lib/page/banner.ts";
import { settings } from "../../lib/page/settings.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Ticks } from "../../ui/ticks.tsx";
import { sendLocation } from "./location.ts";
import { NoAnswer } from "./no-answer.tsx";
import dialogStyles from "../../ui/dialog.module.css";

interface LocationPromptProps {
  isOpen: boolean;
  onSaved: (user: User) => void;
  onDenied: () => void;
  onNotNow: () => void;
}

/** Explains the use of the location before the browser asks for permission. */
export function LocationPrompt({ isOpen, onSaved, onDenied, onNotNow }: LocationPromptProps) {
  const t = useTranslations("location");
  const allow = useAction(async () => {
    const user = await sendLocation();
    if (user) onSaved(user);
    else if ((await device.positionPermission()) === "denied") onDenied();
    else banner.alert("location.request");
  });

  return (
    <Sheet isOpen={isOpen} onClose={onNotNow} title={t("title")} picture={<LocationPicture />}>
      <p>{t("request")}</p>
      <Ticks lines={[t("why"), t("coarse"), t("refreshed", { brand: settings.brandName })]} />
      <NoAnswer isWaiting={allow.isBusy} />
      <div className={dialogStyles.actions}>
        <Button busy={allow.isBusy} onClick={allow.start}>
          {t("allow")}
        </Button>
        <Button kind="ghost" onClick={onNotNow}>
          {t("notNow")}
        </Button>
      </div>
    </Sheet>
  );
}

function LocationPicture() {
  return (
    <span className={dialogStyles.niche}>
      <Icon name="pin" />
    </span>
  );
}
