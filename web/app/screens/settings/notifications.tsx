import { useState } from "react";
import { type ActionFunctionArgs, useLoaderData } from "react-router";
import { useTranslations } from "use-intl";
import { AWAY_HOURS } from "@alcove/contract/limits";
import { getOwnUser } from "@alcove/contract/accounts";
import { getNotifications, saveNotifications } from "@alcove/contract/notifications";
import { markNotifiedAgain } from "../../features/notifications/mark-notified.ts";
import { SomebodyNewSwitch } from "../../features/notifications/somebody-new-switch.tsx";
import { api } from "../../lib/api/api.ts";
import { actionResult } from "../../lib/forms/form-result.ts";
import { submitForm } from "../../lib/forms/submit-form.ts";
import { useSettings } from "../../lib/forms/use-settings.ts";
import { TextField } from "../../ui/forms/field.tsx";
import { Switch } from "../../ui/forms/switch.tsx";
import { PushOnThisDevice } from "./push-on-this-device.tsx";
import { SettingHead } from "./setting-head.tsx";

export async function loader() {
  const [notifications, { user }] = await Promise.all([api(getNotifications, {}), api(getOwnUser, {})]);
  return { ...notifications, user };
}

export async function action({ request }: ActionFunctionArgs) {
  const result = await submitForm(saveNotifications, await request.formData());
  if (result.ok) markNotifiedAgain();
  return actionResult(result);
}

const yesNo = (isOn: boolean): "yes" | "no" => (isOn ? "yes" : "no");

export default function NotificationsScreen() {
  const loaderData = useLoaderData<typeof loader>();
  const { push, digest, quiet_hours, quiet_from, quiet_to, has_email, push_key, native_push } = loaderData;
  const t = useTranslations("notifications");
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const stored = {
    push: yesNo(push),
    quiet_hours: yesNo(quiet_hours),
    quiet_from,
    quiet_to,
    digest: yesNo(digest),
    somebody_new: yesNo(loaderData.somebody_new),
  };
  const { values, save } = useSettings(stored);
  const toggle = (name: "push" | "quiet_hours" | "digest" | "somebody_new") => ({
    checked: values[name] === "yes",
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      save({ [name]: yesNo(event.currentTarget.checked) }),
  });

  return (
    <div className="stack-lg">
      <div>
        <SettingHead title={t("title")} />
        <p className="muted">{t("text")}</p>
      </div>
      <section className="stack" aria-labelledby="notifications-device">
        <h2 id="notifications-device">{t("deviceTitle")}</h2>
        <PushOnThisDevice pushKey={push_key} services={native_push} />
      </section>
      <section className="stack" aria-labelledby="notifications-when">
        <h2 id="notifications-when">{t("whenTitle")}</h2>
        <Switch {...toggle("push")} hint={t("pushHint")}>
          {t("push")}
        </Switch>
        <SomebodyNewSwitch user={loaderData.user} {...toggle("somebody_new")} />
        <Switch {...toggle("quiet_hours")} hint={t("quietHoursHint")}>
          {t("quietHours")}
        </Switch>
        {values.quiet_hours === "yes" && (
          <QuietTimes from={values.quiet_from} to={values.quiet_to} zone={zone} onSave={save} />
        )}
      </section>
      <section className="stack" aria-labelledby="notifications-letters">
        <h2 id="notifications-letters">{t("emailsTitle")}</h2>
        {has_email ? (
          <Switch {...toggle("digest")} hint={t("digestHint", { hours: AWAY_HOURS })}>
            {t("digest")}
          </Switch>
        ) : (
          <p className="muted">{t("noEmail")}</p>
        )}
      </section>
    </div>
  );
}

interface QuietTimesProps {
  from: string;
  to: string;
  zone: string;
  onSave: (times: { quiet_from: string; quiet_to: string }) => void;
}

/** Both times are saved when one of them is left. */
function QuietTimes({ from, to, zone, onSave }: QuietTimesProps) {
  const t = useTranslations("notifications");
  const [typed, setTyped] = useState({ quiet_from: from, quiet_to: to });
  const isEmpty = (name: keyof typeof typed) => typed[name] === "";
  const areEqual = typed.quiet_from === typed.quiet_to && !isEmpty("quiet_to");

  function handleBlur() {
    const isUnchanged = typed.quiet_from === from && typed.quiet_to === to;
    if (!isUnchanged && !areEqual && !isEmpty("quiet_from") && !isEmpty("quiet_to")) onSave(typed);
  }

  const field = (name: keyof typeof typed) => ({
    type: "time",
    name,
    value: typed[name],
    required: true,
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      setTyped({ ...typed, [name]: event.currentTarget.value }),
    onBlur: handleBlur,
  });
  return (
    <div className="pair" role="group" aria-label={t("quietHours")} aria-describedby="quiet-zone">
      <TextField
        {...field("quiet_from")}
        label={t("quietFrom")}
        ownError={isEmpty("quiet_from") ? "required" : undefined}
      />
      <TextField
        {...field("quiet_to")}
        label={t("quietTo")}
        ownError={isEmpty("quiet_to") ? "required" : areEqual ? "times_equal" : undefined}
      />
      <p className="hint" id="quiet-zone">
        {t("zone", { zone })}
      </p>
    </div>
  );
}
