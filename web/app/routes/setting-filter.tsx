import { useState, type FormEvent } from "react";
import { useTranslations } from "use-intl";
import { getOwnUser } from "@alcove/contract/accounts";
import type { ValidationErrors } from "@alcove/contract/fields";
import { saveFilter } from "@alcove/contract/profiles";
import { FilterFields } from "../features/profile-form/filter-fields.tsx";
import { api, Offline, Refused } from "../lib/api.ts";
import { banner } from "../lib/banner.ts";
import { readForm } from "../lib/form.ts";
import { Button } from "../ui/button.tsx";
import type { Route } from "./+types/setting-filter";

export async function clientLoader() {
  return api(getOwnUser, {});
}

/** Whom the member would like to meet. */
export default function FilterScreen({ loaderData: { user } }: Route.ComponentProps) {
  const t = useTranslations("settings");
  const [errors, setErrors] = useState<ValidationErrors>({});
  const [isBusy, setBusy] = useState(false);

  async function handleSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const reading = readForm(saveFilter.input, new FormData(event.currentTarget));
    setErrors(reading.ok ? {} : reading.errors);
    if (!reading.ok) return;
    setBusy(true);
    try {
      await api(saveFilter, reading.value);
      banner.notify("settings.saved");
    } catch (error) {
      if (error instanceof Refused) setErrors(error.errors);
      banner.alert(error instanceof Offline ? "fault.offline" : "refusals.fault");
    } finally {
      setBusy(false);
    }
  }

  return (
    <form className="stack" onSubmit={(event) => void handleSubmit(event)}>
      <div className="screen-head">
        <h1>{t("filter")}</h1>
      </div>
      <FilterFields user={user} errors={errors} />
      <Button type="submit" block busy={isBusy}>
        {t("save")}
      </Button>
    </form>
  );
}
