import { useState, type ReactNode } from "react";
import { useTranslations } from "use-intl";
import type { User } from "@alcove/contract/users";
import { device } from "../../device/browser.ts";
import type { DeviceKind } from "../../device/device.ts";
import { banner } from "../../lib/page/banner.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { PinOffSign, State } from "../../ui/state.tsx";
import { sendLocation } from "./location.ts";
import { NoAnswer } from "./no-answer.tsx";
import stateStyles from "../../ui/state.module.css";

const KINDS = ["iphone", "android", "computer"] as const satisfies DeviceKind[];

/** Explains how to allow the location again after the browser has stopped asking. */
export function LocationOff({ onSaved }: { onSaved: (user: User) => void }) {
  const t = useTranslations("location");
  return (
    <State title={t("off")} sign={<PinOffSign />}>
      <LocationHelp onSaved={onSaved} />
    </State>
  );
}

interface LocationOffSheetProps {
  isOpen: boolean;
  onSaved: (user: User) => void;
  onClose: () => void;
}

/** For a member whose last location is still known. */
export function LocationOffSheet({ isOpen, onSaved, onClose }: LocationOffSheetProps) {
  const t = useTranslations("location");
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t("off")} closeButton>
      <LocationHelp onSaved={onSaved} />
    </Sheet>
  );
}

function LocationHelp({ onSaved }: { onSaved: (user: User) => void }) {
  const t = useTranslations("location");
  const [kind, setKind] = useState<DeviceKind>(() => device.kind());
  const retry = useAction(async () => {
    const user = await sendLocation();
    if (user) onSaved(user);
    else banner.alert("location.request");
  });
  const b = (words: ReactNode) => <strong>{words}</strong>;
  return (
    <>
      <p>{t("request")}</p>
      <Segmented
        legend={t("howTo")}
        name="device"
        value={kind}
        choices={KINDS.map((one) => [one, t(`device_${one}`)])}
        onChange={(chosen) => setKind(chosen as DeviceKind)}
      />
      {device.openAppSettings && (
        <Button block kind="quiet" onClick={device.openAppSettings}>
          {t("openSettings")}
        </Button>
      )}
      <ol className={stateStyles.numbered}>
        <li>
          <span>{t.rich(`open_${kind}`, { b })}</span>
        </li>
        <li>
          <span>{t.rich(`allow_${kind}`, { b })}</span>
        </li>
        <li>
          <span>{t("comeBack")}</span>
        </li>
      </ol>
      <NoAnswer isWaiting={retry.isBusy} />
      <Button block busy={retry.isBusy} onClick={retry.start}>
        {t("switchedOn")}
      </Button>
      <p className="hint">{t("area")}</p>
    </>
  );
}
