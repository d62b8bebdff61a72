import { type ActionFunctionArgs, useLoaderData } from "react-router";
import { useTranslations } from "use-intl";
import { getOwnUser } from "@alcove/contract/accounts";
import { getPlaceAdvice, saveLocationPrecision } from "@alcove/contract/discovery";
import { locationPrecisions } from "@alcove/contract/users";
import { api } from "../../lib/api/api.ts";
import { actionResult } from "../../lib/forms/form-result.ts";
import { submitForm } from "../../lib/forms/submit-form.ts";
import { useSettings } from "../../lib/forms/use-settings.ts";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { SettingHead } from "./setting-head.tsx";

export async function loader() {
  const [{ user }, { suggestion }] = await Promise.all([api(getOwnUser, {}), api(getPlaceAdvice, {})]);
  return { user, suggestion };
}

export async function action({ request }: ActionFunctionArgs) {
  return actionResult(await submitForm(saveLocationPrecision, await request.formData()));
}

/** The size of the area that stands for the member's position. */
export default function AreaScreen() {
  const { user, suggestion } = useLoaderData<typeof loader>();
  const t = useTranslations("privacy");
  const { values, save } = useSettings({ location_precision: user.location_precision });
  return (
    <div className="stack">
      <SettingHead title={t("placeTitle")} />
      <p className="muted">{t("placeText")}</p>
      {suggestion !== null && values.location_precision !== suggestion && (
        <p>{t("placeAdvice", { size: t(`place_${suggestion}`) })}</p>
      )}
      <Segmented
        legend={t("placeSize")}
        name="location_precision"
        choices={locationPrecisions.map((precision) => [precision, t(`place_${precision}`)])}
        value={values.location_precision}
        hint={t("placeHint")}
        onChange={(precision) => save({ location_precision: precision })}
      />
    </div>
  );
}
