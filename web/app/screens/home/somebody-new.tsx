import { useEffect, useState } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import { getNotifications, saveNotifications } from "@alcove/contract/notifications";
import type { ResponseOf } from "@alcove/contract/call";
import type { User } from "@alcove/contract/users";
import { device } from "../../device/browser.ts";
import { SomebodyNewSwitch } from "../../features/notifications/somebody-new-switch.tsx";
import { turnOnPush } from "../../features/notifications/turn-on-push.ts";
import { api } from "../../lib/api/api.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { isTabOnly } from "../../lib/session/session.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { classNames } from "../../ui/class-names.ts";
import cardStyles from "../../ui/styles/card.module.css";
import styles from "./evening.module.css";

interface Stored extends Pick<ResponseOf<typeof getNotifications>, "somebody_new" | "digest" | "push_key"> {
  /** This device shows notifications. */
  isHere: boolean;
}

/** For a member who has nobody left. The same switch is in the settings. */
export function SomebodyNew({ user }: { user: User }) {
  const t = useTranslations("evening");
  const base = useLanguagePath();
  const [stored, setStored] = useState<Stored | null>(null);
  useEffect(() => {
    let isMounted = true;
    readStored().then(
      (found) => isMounted && setStored(found),
      () => undefined, // offered at the next visit
    );
    return () => void (isMounted = false);
  }, []);

  const change = useAction(async (isOn: boolean) => {
    const wasOn = stored!.somebody_new;
    setStored({ ...stored!, somebody_new: isOn });
    try {
      // First, because a browser asks for its permission only at the press.
      if (isOn && !stored!.isHere && !isTabOnly()) await turnOnPush(stored!.push_key);
      await api(saveNotifications, { somebody_new: isOn });
      setStored({ ...stored!, somebody_new: isOn, isHere: await isOnHere() });
    } catch (error) {
      setStored({ ...stored!, somebody_new: wasOn });
      throw error;
    }
  });

  if (!stored) return null;
  const { somebody_new: isOn, isHere, digest } = stored;
  return (
    <section className={classNames(cardStyles.card, styles.somebodyNew)}>
      <SomebodyNewSwitch
        user={user}
        checked={isOn}
        onChange={(event) => change.start(event.currentTarget.checked)}
      />
      {isOn && !isHere && !digest && !change.isBusy && (
        <p className="hint">
          {t("notReached")} <Link to={`${base}/setting/notifications`}>{t("openNotifications")}</Link>
        </p>
      )}
    </section>
  );
}

async function readStored(): Promise<Stored> {
  const { somebody_new, digest, push_key } = await api(getNotifications, {});
  return { somebody_new, digest, push_key, isHere: await isOnHere() };
}

async function isOnHere(): Promise<boolean> {
  return (await device.push.state()) === "on";
}
