import { useTranslations } from "use-intl";
import { getReading, saveReading } from "@alcove/contract/messaging";
import { api } from "../../lib/api.ts";
import { actionResult } from "../../lib/forms/form-result.ts";
import { submitForm } from "../../lib/forms/submit-form.ts";
import { useSettings } from "../../lib/forms/use-settings.ts";
import { Switch } from "../../ui/forms/switch.tsx";
import type { Route } from "./+types/reading";
import { SettingHead, useSaved } from "./saved.tsx";

export async function clientLoader() {
  return api(getReading, {});
}

export async function clientAction({ request }: Route.ClientActionArgs) {
  return actionResult(await submitForm(saveReading, await request.formData()));
}

export default function ReadingScreen({ loaderData }: Route.ComponentProps) {
  const t = useTranslations("privacy");
  const saved = useSaved();
  const { values, save } = useSettings(
    { shows_reading: loaderData.shows_reading ? "yes" : "no" },
    saved.show,
  );
  return (
    <>
      <SettingHead title={t("readingTitle")} saved={saved} />
      <Switch
        checked={values.shows_reading === "yes"}
        hint={t("showReadingHint")}
        onChange={(event) => save({ shows_reading: event.currentTarget.checked ? "yes" : "no" })}
      >
        {t("showReading")}
      </Switch>
    </>
  );
}
