import { useState, type ReactNode } from "react";
import { useTranslations } from "use-intl";
import { device } from "../../../device/browser.ts";
import { deviceKinds, type DeviceKind } from "../../../device/device.ts";
import { Button } from "../../../ui/button.tsx";
import { Sheet } from "../../../ui/dialog.tsx";
import { PermissionSteps } from "../../../ui/permission-steps.tsx";
import dialogStyles from "../../../ui/dialog.module.css";

/** Explains how to allow the microphone again after the browser has stopped asking. */
export function MicrophoneHelp({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useTranslations("voice");
  const tLocation = useTranslations("location");
  const [kind, setKind] = useState<DeviceKind>(() => device.kind());
  const b = (words: ReactNode) => <strong>{words}</strong>;
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t("off")} closeButton>
      <p>{t("why")}</p>
      <PermissionSteps
        legend={tLocation("howTo")}
        kinds={deviceKinds.map((one) => [one, tLocation(`device_${one}`)])}
        kind={kind}
        onChoose={setKind}
        settings={
          device.openAppSettings && { label: tLocation("openSettings"), open: device.openAppSettings }
        }
      >
        <li>
          <span>{tLocation.rich(`open_${kind}`, { b })}</span>
        </li>
        <li>
          <span>{t.rich(`allow_${kind}`, { b })}</span>
        </li>
        <li>
          <span>{tLocation("comeBack")}</span>
        </li>
      </PermissionSteps>
      <div className={dialogStyles.actions}>
        <Button onClick={onClose}>{tLocation("switchedOn")}</Button>
      </div>
    </Sheet>
  );
}
