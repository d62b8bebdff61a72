import { useState } from "react";
import type { ActionFunctionArgs } from "react-router";
import { useTranslations } from "use-intl";
import { foldTyped } from "@alcove/contract/text-rules";
import { PinField } from "../../layout/app-lock/pin-field.tsx";
import { useAttemptText } from "../../layout/app-lock/use-attempt-text.ts";
import { BiometricSwitch } from "../../layout/native-features.ts";
import { banner } from "../../lib/page/banner.ts";
import { actionResult, formResult, type Problems } from "../../lib/forms/form-result.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { endUnderDuress } from "../../lib/session/duress.ts";
import { endSession } from "../../lib/session/end-session.ts";
import { useLock } from "../../lib/session/lock.ts";
import { type Attempt, LOCK_AFTER_MINUTES, PIN, pinLock } from "../../lib/session/pin-lock.ts";
import { retireToken } from "../../lib/session/retire-token.ts";
import { sessionStore } from "../../lib/session/session.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { Switch } from "../../ui/forms/switch.tsx";
import { Icon } from "../../ui/icon.tsx";
import { SheetButtons } from "../../ui/sheet-buttons.tsx";
import { SettingHead } from "./setting-head.tsx";
import noteStyles from "../../ui/styles/note.module.css";

const MINUTE_MS = 60_000;

/** The PIN stays on this device. The notices are shown here, because the forms disappear with their state of the lock. */
export async function action({ request }: ActionFunctionArgs) {
  const form = await request.formData();
  const pin = textIn(form, "pin");
  if (form.get("intent") === "remove") {
    const attempt = await pinLock.remove(pin);
    if (attempt.outcome === "right") banner.notify("privacy.pinRemoved");
    if (attempt.outcome === "over") await endSession("pins");
    if (attempt.outcome === "second") await endUnderDuress(attempt.logoutToken);
    return actionResult<Attempt>({ ok: true, value: attempt });
  }
  const result = await formResult(async () => {
    const logoutToken = await retireToken();
    await pinLock.set(pin, 0, { second: textIn(form, "second"), logoutToken });
    banner.notify("privacy.pinSet");
    return null;
  });
  return actionResult(result);
}

function textIn(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? foldTyped(value) : "";
}

/** Sets, changes and removes this device's PIN. */
export default function PinScreen() {
  const t = useTranslations("privacy");
  const { isSet } = useLock();
  return (
    <div className="stack form--narrow">
      <SettingHead title={t("lockTitle")} />
      <p className="muted">{t("lockText")}</p>
      {isSet ? <ChangeLock onSaved={() => banner.notify("settings.saved")} /> : <SetPin />}
      <div className={noteStyles.note}>
        <Icon name="info" />
        <p>{t("lockLimits")}</p>
      </div>
    </div>
  );
}

function SetPin() {
  const t = useTranslations("privacy");
  const [hasSecond, setHasSecond] = useState(false);
  const form = useForm<unknown>({
    check(fields): Problems {
      const [pin, second] = [textIn(fields, "pin"), textIn(fields, "second")];
      if (!PIN.test(pin)) return { pin: [{ text: t("pinInvalid") }] };
      if (textIn(fields, "again") !== pin) return { again: [{ text: t("pinsDiffer") }] };
      if (sessionStore().isLossy()) return { pin: [{ text: t("pinNotKept") }] };
      if (!hasSecond) return {};
      // The lock screen checks a PIN at its last digit.
      const isSecond = PIN.test(second) && second.length === pin.length && second !== pin;
      if (!isSecond) return { second: [{ text: t("secondPinInvalid", { digits: pin.length }) }] };
      return textIn(fields, "second_again") === second ? {} : { second_again: [{ text: t("pinsDiffer") }] };
    },
  });
  return (
    <Form {...form.props} className="stack">
      <PinField label={t("pin")} name="pin" hint={t("pinHint")} {...form.errorsOf("pin")} required />
      <PinField label={t("pinAgain")} name="again" {...form.errorsOf("again")} required />
      <Switch
        checked={hasSecond}
        hint={t("hasSecondPinHint")}
        onChange={(event) => setHasSecond(event.currentTarget.checked)}
      >
        {t("hasSecondPin")}
      </Switch>
      {hasSecond && (
        <>
          <PinField
            label={t("secondPin")}
            name="second"
            hint={t("secondPinHint")}
            {...form.errorsOf("second")}
            required
          />
          <PinField
            label={t("secondPinAgain")}
            name="second_again"
            {...form.errorsOf("second_again")}
            required
          />
        </>
      )}
      <Button type="submit" block busy={form.isBusy}>
        {t("setPin")}
      </Button>
    </Form>
  );
}

function ChangeLock({ onSaved }: { onSaved: () => void }) {
  const t = useTranslations("privacy");
  const { afterMs } = useLock();
  const [isRemoving, setRemoving] = useState(false);
  return (
    <div className="stack">
      <Segmented
        legend={t("lockAfter")}
        name="lock_after"
        choices={LOCK_AFTER_MINUTES.map((minutes) => [
          String(minutes),
          minutes === 0 ? t("atOnce") : t("minutes", { minutes: String(minutes) }),
        ])}
        value={String(afterMs / MINUTE_MS)}
        onChange={(minutes) => {
          pinLock.setAfter(Number(minutes) * MINUTE_MS);
          onSaved();
        }}
      />
      {BiometricSwitch && <BiometricSwitch onSaved={onSaved} />}
      <p className="hint">{t("secondPinLater")}</p>
      <Button kind="quiet" onClick={() => setRemoving(true)}>
        {t("removePin")}
      </Button>
      <RemovePin isOpen={isRemoving} onClose={() => setRemoving(false)} />
    </div>
  );
}

function RemovePin({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useTranslations("privacy");
  const textOf = useAttemptText();
  const [error, setError] = useState("");
  const form = useForm<Attempt>({
    check: (fields): Problems => (textIn(fields, "pin") === "" ? { pin: ["required"] } : {}),
    complete: (fields) => fields.set("intent", "remove"),
    onChange: () => setError(""),
    onDone(attempt) {
      setError(textOf(attempt));
      form.props.ref.current?.querySelector("input")?.focus();
    },
  });

  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t("removePin")}>
      <Form {...form.props} className="stack">
        <PinField
          label={t("pin")}
          name="pin"
          ownError={error === "" ? form.errorsOf("pin").ownError : { text: error }}
          required
        />
        <SheetButtons
          isBusy={form.isBusy}
          confirm={t("removePin")}
          cancel={t("keepPin")}
          onCancel={onClose}
        />
      </Form>
    </Sheet>
  );
}
