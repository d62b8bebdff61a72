import { useEffect, useId, useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { foldTyped } from "@alcove/contract/text-rules";
import { useAction } from "../../lib/forms/use-action.ts";
import { endSession } from "../../lib/session/end-session.ts";
import { useIsPrivacyScreenShown } from "../../lib/page/privacy-screen.ts";
import { useLock } from "../../lib/session/lock.ts";
import { pinLock } from "../../lib/session/pin-lock.ts";
import { Form } from "../../ui/forms/form.tsx";
import { Plain } from "../plain/plain.tsx";
import { BiometricUnlock } from "../native-features.ts";
import { Keypad } from "./keypad.tsx";
import { unlockByPin } from "./unlock-by-pin.ts";
import { useAttemptText } from "./use-attempt-text.ts";
import styles from "./lock-screen.module.css";

/** Checks a PIN as soon as it has the right number of digits. The last wrong one logs out. */
export function LockScreen() {
  const t = useTranslations("privacy");
  const messageId = useId();
  const isCovered = useIsPrivacyScreenShown();
  const { pinLength } = useLock();
  const textOf = useAttemptText();
  const field = useRef<HTMLInputElement>(null);
  const [pin, setPin] = useState("");
  const [error, setError] = useState(() => {
    const waitMs = pinLock.waitMs();
    return waitMs > 0 ? textOf({ outcome: "wait", waitMs }) : "";
  });
  useEffect(() => {
    if (!isCovered) field.current?.focus();
  }, [isCovered]);

  const unlock = useAction(async (typed: string) => {
    const attempt = await unlockByPin(typed);
    setError(textOf(attempt));
    setPin("");
  });

  function enter(typed: string) {
    if (unlock.isBusy) return;
    const digits = foldTyped(typed).replaceAll(/\D/g, "").slice(0, pinLength);
    setPin(digits);
    if (digits.length === pinLength) unlock.start(digits);
  }

  return (
    <Plain>
      <main className={styles.lock} id="main">
        <Form className={styles.form} onSubmit={() => pin !== "" && unlock.start(pin)}>
          <h1>{t("lockedTitle")}</h1>
          <div className={styles.pin} aria-busy={unlock.isBusy || undefined}>
            <span className={styles.dots} aria-hidden="true">
              {Array.from({ length: pinLength }, (_, at) => (
                <i key={at} className={at < pin.length ? styles.on : undefined} />
              ))}
            </span>
            {/* The keypad replaces the keyboard of a phone. */}
            <input
              ref={field}
              type="password"
              name="pin"
              inputMode="none"
              autoComplete="off"
              aria-label={t("pin")}
              aria-invalid={error !== "" || undefined}
              aria-describedby={messageId}
              value={pin}
              readOnly={unlock.isBusy}
              onChange={(event) => enter(event.currentTarget.value)}
            />
          </div>
          <p className={styles.message} id={messageId} role="status">
            {error}
          </p>
          <Keypad onDigit={(digit) => enter(pin + digit)} onDelete={() => enter(pin.slice(0, -1))} />
        </Form>
        {BiometricUnlock && <BiometricUnlock onNotUnlocked={() => field.current?.focus()} />}
        <Forgotten />
      </main>
    </Plain>
  );
}

function Forgotten() {
  const t = useTranslations("privacy");
  const [isAsked, setAsked] = useState(false);
  return (
    <div className={styles.forgotten}>
      <button type="button" aria-expanded={isAsked} onClick={() => setAsked(!isAsked)}>
        {t("forgottenAsk")}
      </button>
      {isAsked && (
        <>
          <p>{t("forgottenText")}</p>
          <button type="button" onClick={() => void endSession()}>
            {t("forgotten")}
          </button>
        </>
      )}
    </div>
  );
}
