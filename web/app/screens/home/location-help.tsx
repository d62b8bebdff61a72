import { useState, type ReactNode } from "react";
import { useTranslations } from "use-intl";
import type { User } from "@alcove/contract/users";
import { device } from "../../device/browser.ts";
import { deviceKinds, type DeviceKind } from "../../device/device.ts";
import { banner } from "../../lib/page/banner.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import { PermissionSteps } from "../../ui/permission-steps.tsx";
import { PinOffSign, State } from "../../ui/state.tsx";
import { sendLocation } from "./location.ts";
import { NoAnswer } from "./no-answer.tsx";

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
      <PermissionSteps
        legend={t("howTo")}
        kinds={deviceKinds.map((one) => [one, t(`device_${one}`)])}
        kind={kind}
        onChoose={setKind}
        settings={device.openAppSettings && { label: t("openSettings"), open: device.openAppSettings }}
      >
        <li>
          <span>{t.rich(`open_${kind}`, { b })}</span>
        </li>
        <li>
          <span>{t.rich(`allow_${kind}`, { b })}</span>
        </li>
        <li>
          <span>{t("comeBack")}</span>
        </li>
      </PermissionSteps>
      <NoAnswer isWaiting={retry.isBusy} />
      <Button block busy={retry.isBusy} onClick={retry.start}>
        {t("switchedOn")}
      </Button>
      <p className="hint">{t("area")}</p>
    </>
  );
}
