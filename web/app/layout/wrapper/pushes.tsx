import { useEffect, useEffectEvent } from "react";
import { useNavigate } from "react-router";
import { useTranslations } from "use-intl";
import { subscribeNativePush } from "@alcove/contract/notifications";
import { device } from "../../device/browser.ts";
import type { NativePushAddress, PushState } from "../../device/device.ts";
import { listenToPushes, removeShownPushes, renewPush } from "../../device/native/push.ts";
import { browserStore } from "../../device/stored.ts";
import { api } from "../../lib/api/api.ts";
import { currentLoginId, useLoginId } from "../../lib/session/session.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { NativeTexts } from "./native-texts.tsx";
import noteStyles from "../../ui/styles/note.module.css";

/** Keeps the token at the server current while pushes are on, and opens the app's start after a tap. */
export function PushEvents() {
  const t = useTranslations("nativeApp");
  const base = useLanguagePath();
  const navigate = useNavigate();
  const loginId = useLoginId();

  const sendToken = useEffectEvent((address: NativePushAddress) => {
    if (currentLoginId() === null || browserStore.get("push") === null) return;
    // Without a connection, the next start sends it.
    void api(subscribeNativePush, address).catch(() => undefined);
  });
  const openStart = useEffectEvent(() => {
    removeShownPushes();
    if (location.pathname !== base) void navigate(base);
  });
  const renew = useEffectEvent(() => void renewPush(t("pushChannel")).catch(() => undefined));

  useEffect(() => listenToPushes({ onToken: sendToken, onTap: openStart }), []);
  useEffect(() => {
    if (loginId !== null) renew();
  }, [loginId]);
  useEffect(() => {
    const handleVisible = () => document.visibilityState === "visible" && removeShownPushes();
    handleVisible();
    document.addEventListener("visibilitychange", handleVisible);
    return () => document.removeEventListener("visibilitychange", handleVisible);
  }, []);
  return null;
}

interface NoteProps {
  state: PushState;
}

/** The settings show it above the button, or instead of it. */
export function PushNote(props: NoteProps) {
  return (
    <NativeTexts>
      <Note {...props} />
    </NativeTexts>
  );
}

function Note({ state }: NoteProps) {
  const t = useTranslations("nativeApp");
  const openSettings = useTranslations("location")("openSettings");
  if (state === "on" || state === "off")
    return <p className="muted">{state === "on" ? t("pushOn") : t("pushOff")}</p>;
  return (
    <>
      <p className={noteStyles.note}>
        <Icon name="info" />
        <span>{state === "denied" ? t("pushDenied") : t("pushUnsupported")}</span>
      </p>
      {state === "denied" && (
        <Button kind="quiet" onClick={() => device.openAppSettings?.()}>
          {openSettings}
        </Button>
      )}
    </>
  );
}
