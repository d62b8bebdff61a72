import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { subscribePush, unsubscribePush } from "@alcove/contract/notifications";
import { device } from "../../device/browser.ts";
import type { PushState } from "../../device/device.ts";
import { markNotifiedAgain } from "../../features/notifications/mark-notified.ts";
import { api } from "../../lib/api.ts";
import { banner } from "../../lib/banner.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { isTabOnly } from "../../lib/session/session.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";

/** The browser asks for permission only after the button is pressed. */
export function PushOnThisDevice({ pushKey }: { pushKey: string }) {
  const t = useTranslations("notifications");
  const [state, setState] = useState<PushState | null>(null);
  const isShared = isTabOnly();

  useEffect(() => {
    let isUnmounted = false;
    void device.push.state().then((current) => !isUnmounted && setState(current));
    return () => {
      isUnmounted = true;
    };
  }, []);

  const toggle = useAction(async () => {
    try {
      if (state === "on") await turnOff();
      else await turnOn(pushKey);
    } finally {
      setState(await device.push.state());
    }
  });

  if (isShared) return <Explained text={t("shared")} />;
  if (state === "denied") return <Explained text={t("denied")} />;
  if (state === "unsupported") return <Explained text={t("unsupported")} />;
  if (state === "needs_home_screen") return <Explained text={t("homeScreen")} />;
  return (
    <>
      <p className="muted">{state === "on" ? t("deviceOn") : t("deviceOff")}</p>
      <Button kind="quiet" busy={toggle.isBusy} disabled={state === null} onClick={toggle.start}>
        {state === "on" ? t("turnOff") : t("turnOn")}
      </Button>
    </>
  );
}

function Explained({ text }: { text: string }) {
  return (
    <p className="note">
      <Icon name="info" />
      <span>{text}</span>
    </p>
  );
}

async function turnOn(pushKey: string): Promise<void> {
  const subscription = await device.push.subscribe(pushKey).catch(() => {
    banner.alert("notifications.failed"); // the browser's push service did not respond
    return null;
  });
  if (!subscription) return;
  try {
    await api(subscribePush, subscription);
    markNotifiedAgain();
    banner.notify("notifications.turnedOn");
  } catch (error) {
    await device.push.unsubscribe();
    throw error;
  }
}

async function turnOff(): Promise<void> {
  const endpoint = await device.push.unsubscribe();
  if (endpoint !== null) await api(unsubscribePush, { endpoint });
  banner.notify("notifications.turnedOff");
}
