import { type ActionFunctionArgs, useLoaderData } from "react-router";
import { useTranslations } from "use-intl";
import { getOwnUser } from "@alcove/contract/accounts";
import { saveArrival } from "@alcove/contract/discovery";
import { CARD_HOURS_APART, HOUR_CHANGE_DAYS } from "@alcove/contract/limits";
import { useNextCardText } from "../../features/prices/next-card.ts";
import { useArrivalText } from "../../features/settings-menu/arrival-text.ts";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { pickErrors } from "../../lib/forms/form.ts";
import { actionResult } from "../../lib/forms/form-result.ts";
import { submitForm } from "../../lib/forms/submit-form.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { SelectField } from "../../ui/forms/field.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { SettingHead } from "./setting-head.tsx";

const HOURS = ["morning", "noon", "evening", "midnight"] as const;

export async function loader() {
  return api(getOwnUser, {});
}

export async function action({ request }: ActionFunctionArgs) {
  return actionResult(await submitForm(saveArrival, await request.formData()));
}

/** The hour at which a free member's card comes. */
export default function ArrivalScreen() {
  const { user } = useLoaderData<typeof loader>();
  const t = useTranslations("arrival");
  const title = useTranslations("settings")("arrival");
  const save = useTranslations("settings")("save");
  const arrivalText = useArrivalText();
  const nextCardText = useNextCardText();
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const form = useForm<unknown>({
    check: (fields) => pickErrors(saveArrival, fields, ["arrival", "arrival_zone"]),
    onDone: () => banner.notify("settings.saved"),
  });
  return (
    <div className="stack">
      <SettingHead title={title} />
      <p className="muted">{t("text")}</p>
      {user.status === "paid" && <p className="muted">{t("paid")}</p>}
      {user.card_arrives_at !== null && <p>{nextCardText(new Date(user.card_arrives_at))}</p>}
      <Form {...form.props} className="stack">
        <Segmented
          legend={t("hour")}
          name="arrival"
          choices={HOURS.map((hour) => [hour, arrivalText(hour)])}
          {...(user.arrival !== null && { defaultValue: user.arrival })}
          {...form.errorsOf("arrival")}
        />
        <SelectField
          label={t("zone")}
          name="arrival_zone"
          choices={zonesWith(user.arrival_zone, zone).map((name) => [name, name.replaceAll("_", " ")])}
          defaultValue={user.arrival_zone ?? zone}
          {...form.errorsOf("arrival_zone")}
        />
        <p className="hint">
          {t("limits", { days: String(HOUR_CHANGE_DAYS), hours: String(CARD_HOURS_APART) })}
        </p>
        <Button type="submit" block busy={form.isBusy}>
          {save}
        </Button>
      </Form>
    </div>
  );
}

/** Older browsers list none. */
function zonesWith(...names: readonly (string | null)[]): string[] {
  const known = Intl.supportedValuesOf?.("timeZone") ?? [];
  return Array.from(new Set([...known, "UTC", ...names.filter((name) => name !== null)])).sort();
}
