import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { subscribePush, unsubscribePush } from "@alcove/contract/notifications";
import { device } from "../../device/browser.ts";
import type { PushState } from "../../device/device.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { api } from "../../lib/api.ts";
import { banner } from "../../lib/banner.ts";
import { isTabOnly } from "../../lib/session/session.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { tellSeenAgain } from "../../features/notifications/mark-notified.ts";

/** Whether this device is told, and a button to change it; the browser is asked for permission only after it is pressed. */
export function PushOnThisDevice({ pushKey }: { pushKey: string }) {
  const t = useTranslations("notifications");
  const [state, setState] = useState<PushState | null>(null);
  const isShared = isTabOnly();

  useEffect(() => {
    let isGone = false;
    void device.push.state().then((found) => !isGone && setState(found));
    return () => {
      isGone = true;
    };
  }, []);

  const turn = useAction(async () => {
    try {
      if (state === "on") await turnOff();
      else await turnOn(pushKey);
    } finally {
      setState(await device.push.state());
    }
  });

  if (isShared) return <Explained words={t("shared")} />;
  if (state === "denied") return <Explained words={t("denied")} />;
  if (state === "unsupported") return <Explained words={t("unsupported")} />;
  if (state === "needs_home_screen") return <Explained words={t("homeScreen")} />;
  return (
    <>
      <p className="muted">{state === "on" ? t("deviceOn") : t("deviceOff")}</p>
      <Button kind="quiet" busy={turn.isBusy} disabled={state === null} onClick={turn.start}>
        {state === "on" ? t("turnOff") : t("turnOn")}
      </Button>
    </>
  );
}

function Explained({ words }: { words: string }) {
  return (
    <p className="note">
      <Icon name="info" />
      <span>{words}</span>
    </p>
  );
}

async function turnOn(pushKey: string): Promise<void> {
  const subscription = await device.push.subscribe(pushKey).catch(() => {
    banner.alert("notifications.failed"); // the browser's own push service did not answer
    return null;
  });
  if (!subscription) return;
  try {
    await api(subscribePush, subscription);
    tellSeenAgain();
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
