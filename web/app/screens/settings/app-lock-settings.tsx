import { useRef, useState } from "react";
import { useTranslations } from "use-intl";
import { PinField } from "../../layout/app-lock/pin-field.tsx";
import { useAttemptText } from "../../layout/app-lock/use-attempt-text.ts";
import { banner } from "../../lib/banner.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { endSession } from "../../lib/session/end-session.ts";
import { LOCK_AFTER_MINUTES, lock, PIN, useLock } from "../../lib/session/lock.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/dialog.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";

const MINUTE_MS = 60_000;

/** Sets, changes and removes this device's PIN. */
export function AppLockSettings() {
  return useLock().isSet ? <ChangeLock /> : <SetPin />;
}

type PinError = { field: "pin" | "again"; text: "pinInvalid" | "pinsDiffer" };

function SetPin() {
  const t = useTranslations("privacy");
  const form = useRef<HTMLFormElement>(null);
  const [error, setError] = useState<PinError | null>(null);
  const setPin = useAction(async (pin: string) => {
    await lock.set(pin, 0);
    banner.notify("privacy.pinSet");
  });

  function handleSubmit(sent: HTMLFormElement) {
    const { pin, again } = Object.fromEntries(new FormData(sent)) as Record<string, string>;
    const found = validatePins(pin ?? "", again ?? "");
    setError(found);
    if (found) form.current?.querySelector<HTMLInputElement>(`[name=${found.field}]`)?.focus();
    else setPin.start(pin ?? "");
  }

  const errorOf = (field: PinError["field"]) => (error?.field === field ? t(error.text) : undefined);
  return (
    <Form ref={form} className="stack" noValidate onSubmit={handleSubmit}>
      <PinField label={t("pin")} name="pin" hint={t("pinHint")} errorText={errorOf("pin")} required />
      <PinField label={t("pinAgain")} name="again" errorText={errorOf("again")} required />
      <Button type="submit" kind="quiet" busy={setPin.isBusy}>
        {t("setPin")}
      </Button>
    </Form>
  );
}

function validatePins(pin: string, again: string): PinError | null {
  if (!PIN.test(pin)) return { field: "pin", text: "pinInvalid" };
  return pin === again ? null : { field: "again", text: "pinsDiffer" };
}

function ChangeLock() {
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
        defaultValue={String(afterMs / MINUTE_MS)}
        onChange={(minutes) => lock.setAfter(Number(minutes) * MINUTE_MS)}
      />
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
  const field = useRef<HTMLInputElement>(null);
  const [error, setError] = useState("");
  const remove = useAction(async () => {
    const attempt = await lock.remove(field.current?.value ?? "");
    setError(textOf(attempt));
    if (attempt.outcome === "right") banner.notify("privacy.pinRemoved");
    else if (attempt.outcome === "over") await endSession("pins");
    else field.current?.focus();
  });

  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t("removePin")}>
      <Form className="stack" onSubmit={() => remove.start()}>
        <PinField ref={field} label={t("pin")} name="pin" errorText={error || undefined} required />
        <div className="sheet__actions">
          <Button type="submit" busy={remove.isBusy}>
            {t("removePin")}
          </Button>
          <Button kind="ghost" onClick={onClose}>
            {t("keepPin")}
          </Button>
        </div>
      </Form>
    </Sheet>
  );
}
