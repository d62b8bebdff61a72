import { useEffect, useState } from "react";
import { useTranslations } from "use-intl";
import { getNotifications, saveNotifications } from "@alcove/contract/notifications";
import { device } from "../../device/browser.ts";
import { api } from "../../lib/api/api.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { isTabOnly } from "../../lib/session/session.ts";
import { Button } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import cardStyles from "../../ui/styles/card.module.css";
import { turnOnPush } from "./turn-on-push.ts";
import styles from "./push-question.module.css";

/** Asked once, after the first like, where this device can show notifications and none are on. */
export function PushQuestion() {
  const t = useTranslations("evening");
  const tn = useTranslations("notifications");
  const [pushKey, setPushKey] = useState<string | null>(null);
  useEffect(() => {
    let isMounted = true;
    findKey().then(
      (key) => isMounted && setPushKey(key),
      () => undefined, // asked after another like
    );
    return () => void (isMounted = false);
  }, []);

  const answer = useAction(async (isOn: boolean) => {
    if (isOn) await turnOnPush(pushKey!);
    await api(saveNotifications, { push_asked: true });
    setPushKey(null);
  });

  if (pushKey === null) return null;
  return (
    <section className={classNames(cardStyles.card, styles.question)} aria-labelledby="push-question">
      <div>
        <h2 id="push-question">{t("ask")}</h2>
        <p className="hint">{t("askText", { sentence: tn("somethingNew") })}</p>
      </div>
      <div className={styles.answers}>
        <Button small busy={answer.isBusy} onClick={() => answer.start(true)}>
          {t("askOn")}
        </Button>
        <Button small kind="ghost" disabled={answer.isBusy} onClick={() => answer.start(false)}>
          {t("askNot")}
        </Button>
      </div>
    </section>
  );
}

async function findKey(): Promise<string | null> {
  if (isTabOnly() || (await device.push.state()) !== "off") return null;
  const { push, push_asked, push_key, native_push } = await api(getNotifications, {});
  const service = device.push.service();
  const isOffered = service === null || native_push.includes(service);
  return push && !push_asked && isOffered ? push_key : null;
}
