import { useNavigate } from "react-router";
import { useTranslations } from "use-intl";
import { confirmSession, endSession, getOwnUser, type OpenSession } from "@alcove/contract/accounts";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { dayText } from "../../lib/dates-and-units/dates.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { newDevices, useNewDevices } from "../../realtime/new-devices.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { classNames } from "../../ui/class-names.ts";
import noteStyles from "../../ui/styles/note.module.css";
import styles from "./new-device-line.module.css";

/** A login from an unknown device, one at a time, until the member confirms or ends it. */
export function NewDeviceLine() {
  const [device] = useNewDevices();
  return device ? <Line key={device.id} device={device} /> : null;
}

function Line({ device }: { device: OpenSession }) {
  const t = useTranslations("newDevice");
  const base = useLanguagePath();
  const navigate = useNavigate();
  const wasMe = useAction(async () => {
    await api(confirmSession, { sessionId: device.id });
    await newDevices.load();
  });
  const notMe = useAction(async () => {
    await api(endSession, { sessionId: device.id });
    await newDevices.load();
    const { user } = await api(getOwnUser, {});
    banner.notify(user.has_password ? "newDevice.ended" : "newDevice.endedNoPassword");
    await navigate(`${base}/setting/${user.has_password ? "password" : "devices"}`);
  });
  return (
    <div className={classNames(noteStyles.note, noteStyles.lamp, styles.line)} role="status">
      <Icon name="alert" />
      <div className={styles.content}>
        <p>{t("line", { day: dayText(new Date(device.created_at)), name: device.device_name })}</p>
        <div className={styles.actions}>
          <Button kind="quiet" small busy={notMe.isBusy} onClick={notMe.start}>
            {t("notMe")}
          </Button>
          <Button kind="quiet" small busy={wasMe.isBusy} onClick={wasMe.start}>
            {t("wasMe")}
          </Button>
        </div>
      </div>
    </div>
  );
}
