import { useRef, useState, type ChangeEvent } from "react";
import { useTranslations } from "use-intl";
import type { ParsedOf } from "@alcove/contract/call";
import { AWAY_HOURS } from "@alcove/contract/limits";
import { getNotifications, saveNotifications } from "@alcove/contract/notifications";
import { markNotifiedAgain } from "../../features/notifications/mark-notified.ts";
import { api } from "../../lib/api.ts";
import { banner } from "../../lib/banner.ts";
import { errorOf, readForm } from "../../lib/forms/form.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { useFormErrors } from "../../lib/forms/use-form-errors.ts";
import { Button } from "../../ui/button.tsx";
import { Check, TextField } from "../../ui/forms/field.tsx";
import { Form } from "../../ui/forms/form.tsx";
import type { Route } from "./+types/notifications";
import { PushOnThisDevice } from "./push-on-this-device.tsx";

export async function clientLoader() {
  return api(getNotifications, {});
}

export default function NotificationsScreen({ loaderData }: Route.ComponentProps) {
  const { push, digest, quiet_hours, quiet_from, quiet_to, has_email, push_key } = loaderData;
  const t = useTranslations("notifications");
  const ts = useTranslations("settings");
  const form = useRef<HTMLFormElement>(null);
  const formErrors = useFormErrors(form);
  const [isQuiet, setQuiet] = useState(quiet_hours);
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;

  const save = useAction(async (preferences: ParsedOf<typeof saveNotifications>) => {
    await api(saveNotifications, preferences);
    markNotifiedAgain();
    banner.notify("settings.saved");
  }, formErrors.showFailure);

  function handleSubmit(element: HTMLFormElement) {
    const fields = new FormData(element);
    // A form does not contain unticked boxes.
    for (const name of ["push", "quiet_hours", "digest"]) fields.set(name, fields.has(name) ? "yes" : "no");
    fields.set("time_zone", zone);
    const parsed = readForm(saveNotifications.input, fields);
    if (!parsed.ok) return formErrors.show(parsed.errors);
    formErrors.clear();
    save.start(parsed.value);
  }

  return (
    <div className="stack-lg">
      <div className="stack">
        <div className="screen-head">
          <h1>{t("title")}</h1>
        </div>
        <p className="muted">{t("text")}</p>
      </div>
      <section className="stack" aria-labelledby="notifications-device">
        <h2 id="notifications-device">{t("deviceTitle")}</h2>
        <PushOnThisDevice pushKey={push_key} />
      </section>
      <Form ref={form} className="stack-lg" noValidate onSubmit={handleSubmit}>
        <section className="stack" aria-labelledby="notifications-when">
          <h2 id="notifications-when">{t("whenTitle")}</h2>
          <Switch name="push" initially={push} label={t("push")} hint={t("pushHint")} />
          <Switch
            name="quiet_hours"
            initially={quiet_hours}
            label={t("quietHours")}
            hint={t("quietHoursHint")}
            onChange={setQuiet}
          />
          <div className="stack" hidden={!isQuiet}>
            <TextField
              type="time"
              name="quiet_from"
              label={t("quietFrom")}
              defaultValue={quiet_from}
              error={errorOf(formErrors.errors, "quiet_from")}
              required
            />
            <TextField
              type="time"
              name="quiet_to"
              label={t("quietTo")}
              defaultValue={quiet_to}
              hint={t("zone", { zone })}
              error={errorOf(formErrors.errors, "quiet_to")}
              required
            />
          </div>
        </section>
        <section className="stack" aria-labelledby="notifications-letters">
          <h2 id="notifications-letters">{t("emailsTitle")}</h2>
          {has_email ? (
            <Switch
              name="digest"
              initially={digest}
              label={t("digest")}
              hint={t("digestHint", { hours: AWAY_HOURS })}
            />
          ) : (
            <p className="muted">{t("noEmail")}</p>
          )}
        </section>
        <Button type="submit" block busy={save.isBusy}>
          {ts("save")}
        </Button>
      </Form>
    </div>
  );
}

interface SwitchProps {
  name: string;
  initially: boolean;
  label: string;
  hint: string;
  onChange?: (isOn: boolean) => void;
}

function Switch({ name, initially, label, hint, onChange }: SwitchProps) {
  const [isOn, setOn] = useState(initially);

  function handleChange(event: ChangeEvent<HTMLInputElement>) {
    setOn(event.currentTarget.checked);
    onChange?.(event.currentTarget.checked);
  }

  return (
    <Check role="switch" name={name} checked={isOn} aria-checked={isOn} hint={hint} onChange={handleChange}>
      {label}
    </Check>
  );
}
