import { type ActionFunctionArgs, useLoaderData } from "react-router";
import { useTranslations } from "use-intl";
import { getReading, saveReading } from "@alcove/contract/messaging";
import { api } from "../../lib/api/api.ts";
import { actionResult } from "../../lib/forms/form-result.ts";
import { submitForm } from "../../lib/forms/submit-form.ts";
import { useSettings } from "../../lib/forms/use-settings.ts";
import { Switch } from "../../ui/forms/switch.tsx";
import { SettingHead } from "./setting-head.tsx";

export async function loader() {
  return api(getReading, {});
}

export async function action({ request }: ActionFunctionArgs) {
  return actionResult(await submitForm(saveReading, await request.formData()));
}

const yesOrNo = (isOn: boolean) => (isOn ? "yes" : "no");

export default function ReadingScreen() {
  const loaderData = useLoaderData<typeof loader>();
  const t = useTranslations("privacy");
  const { values, save } = useSettings({
    shows_reading: yesOrNo(loaderData.shows_reading),
    shows_typing: yesOrNo(loaderData.shows_typing),
    accepts_pictures: yesOrNo(loaderData.accepts_pictures),
  });
  return (
    <>
      <SettingHead title={t("readingTitle")} />
      <Switch
        checked={values.shows_reading === "yes"}
        hint={t("showReadingHint")}
        aria-describedby="reading-scope"
        onChange={(event) => save({ shows_reading: yesOrNo(event.currentTarget.checked) })}
      >
        {t("showReading")}
      </Switch>
      <Switch
        checked={values.shows_typing === "yes"}
        hint={t("showTypingHint")}
        aria-describedby="reading-scope"
        onChange={(event) => save({ shows_typing: yesOrNo(event.currentTarget.checked) })}
      >
        {t("showTyping")}
      </Switch>
      <Switch
        checked={values.accepts_pictures === "no"}
        hint={t("noPicturesHint")}
        aria-describedby="reading-scope"
        onChange={(event) => save({ accepts_pictures: yesOrNo(!event.currentTarget.checked) })}
      >
        {t("noPictures")}
      </Switch>
      <p className="hint" id="reading-scope">
        {t("accountWide")}
      </p>
    </>
  );
}
