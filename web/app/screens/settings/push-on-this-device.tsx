import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { unsubscribeNativePush, unsubscribePush } from "@alcove/contract/notifications";
import { device } from "../../device/browser.ts";
import type { NativePushAddress, PushState } from "../../device/device.ts";
import { turnOnPush } from "../../features/notifications/turn-on-push.ts";
import { PushNote } from "../../layout/native-features.ts";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { isTabOnly } from "../../lib/session/session.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import noteStyles from "../../ui/styles/note.module.css";

interface Props {
  pushKey: string;
  /** The services by which native apps get pushes. */
  services: readonly NativePushAddress["service"][];
}

/** The device asks for permission only after the button is pressed. */
export function PushOnThisDevice({ pushKey, services }: Props) {
  const t = useTranslations("notifications");
  const [found, setState] = useState<PushState | null>(null);
  const service = device.push.service();
  const isOffered = service === null || services.includes(service);
  const state = isOffered ? found : "unsupported";
  const isShared = isTabOnly();

  useEffect(() => {
    const watching = new AbortController();
    const { signal } = watching;
    // Its code may be missing without a connection.
    const read = () =>
      device.push.state().then(
        (current) => !signal.aborted && setState(current),
        () => undefined,
      );
    void read();
    addEventListener("online", () => void read(), { signal });
    return () => watching.abort();
  }, []);

  const toggle = useAction(async () => {
    try {
      if (state === "on") await turnOff();
      else await turnOnPush(pushKey);
    } finally {
      setState(await device.push.state());
    }
  });

  if (isShared) return <Explained text={t("shared")} />;
  const hasButton = state === null || state === "on" || state === "off";
  if (PushNote && !hasButton) return <PushNote state={state} />;
  if (state === "denied") return <Explained text={t("denied")} />;
  if (state === "unsupported") return <Explained text={t("unsupported")} />;
  if (state === "needs_home_screen") return <Explained text={t("homeScreen")} />;
  return (
    <>
      {PushNote ? (
        <PushNote state={state ?? "off"} />
      ) : (
        <p className="muted">{state === "on" ? t("deviceOn") : t("deviceOff")}</p>
      )}
      <Button kind="quiet" busy={toggle.isBusy} disabled={state === null} onClick={toggle.start}>
        {state === "on" ? t("turnOff") : t("turnOn")}
      </Button>
    </>
  );
}

function Explained({ text }: { text: string }) {
  return (
    <p className={noteStyles.note}>
      <Icon name="info" />
      <span>{text}</span>
    </p>
  );
}

async function turnOff(): Promise<void> {
  const ended = await device.push.unsubscribe();
  if (ended && "service" in ended) await api(unsubscribeNativePush, ended);
  else if (ended) await api(unsubscribePush, ended);
  banner.notify("notifications.turnedOff");
}
