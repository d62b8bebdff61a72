import { useState } from "react";
import { type ActionFunctionArgs, useLoaderData } from "react-router";
import { useTranslations } from "use-intl";
import { getOwnUser } from "@alcove/contract/accounts";
import { saveVisibility } from "@alcove/contract/profiles";
import { api } from "../../lib/api/api.ts";
import { localDay } from "../../lib/dates-and-units/dates.ts";
import { serverNow } from "../../lib/dates-and-units/server-clock.ts";
import { actionResult } from "../../lib/forms/form-result.ts";
import { submitForm } from "../../lib/forms/submit-form.ts";
import { useSettings } from "../../lib/forms/use-settings.ts";
import { TextField } from "../../ui/forms/field.tsx";
import { Switch } from "../../ui/forms/switch.tsx";
import { SettingHead } from "./setting-head.tsx";

const DAY_MS = 86_400_000;

export async function loader() {
  return api(getOwnUser, {});
}

export async function action({ request }: ActionFunctionArgs) {
  return actionResult(await submitForm(saveVisibility, await request.formData()));
}

const yesOrNo = (isOn: boolean) => (isOn ? "yes" : "no");

export default function VisibilityScreen() {
  const { user } = useLoaderData<typeof loader>();
  const t = useTranslations("visibility");
  const title = useTranslations("settings")("visibility");
  const { values, save } = useSettings({
    paused: yesOrNo(user.paused),
    paused_until: user.paused_until ?? "",
    only_liked: yesOrNo(user.only_liked),
  });
  const isPaused = values.paused === "yes";
  return (
    <div className="stack">
      <SettingHead title={title} />
      <Switch
        checked={isPaused}
        hint={t("pauseHint")}
        onChange={(event) => save({ paused: yesOrNo(event.currentTarget.checked), paused_until: "" })}
      >
        {t("pause")}
      </Switch>
      {isPaused && (
        <LastDay until={values.paused_until} onChoose={(until) => save({ paused_until: until })} />
      )}
      <Switch
        checked={values.only_liked === "yes"}
        hint={t("onlyLikedHint")}
        onChange={(event) => save({ only_liked: yesOrNo(event.currentTarget.checked) })}
      >
        {t("onlyLiked")}
      </Switch>
      <p className="hint">{t("scope")}</p>
    </div>
  );
}

/** The day when the member shows again; a day that is over is not saved. */
function LastDay({ until, onChoose }: { until: string; onChoose: (until: string) => void }) {
  const t = useTranslations("visibility");
  const [hasPassed, setPassed] = useState(false);
  const tomorrow = localDay(new Date(serverNow() + DAY_MS));
  return (
    <TextField
      label={t("until")}
      type="date"
      optional
      min={tomorrow}
      defaultValue={until}
      hint={t("untilHint")}
      ownError={hasPassed ? "date_passed" : undefined}
      onChange={({ currentTarget: { value, validity } }) => {
        const isWrong = validity.badInput || (value !== "" && value < tomorrow);
        setPassed(isWrong);
        if (!isWrong) onChoose(value);
      }}
    />
  );
}
