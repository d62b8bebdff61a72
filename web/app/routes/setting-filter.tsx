import { useRef, useState, type FormEvent } from "react";
import { useTranslations } from "use-intl";
import { getOwnUser } from "@alcove/contract/accounts";
import { saveFilter } from "@alcove/contract/profiles";
import { FilterFields } from "../features/profile-form/filter-fields.tsx";
import { useFormFaults } from "../lib/form-faults.ts";
import { api, Refused } from "../lib/api.ts";
import { banner } from "../lib/banner.ts";
import { tellFailure } from "../lib/failures.ts";
import { readForm } from "../lib/form.ts";
import { Button } from "../ui/button.tsx";
import type { Route } from "./+types/setting-filter";

export async function clientLoader() {
  return api(getOwnUser, {});
}

/** Whom the member would like to meet. */
export default function FilterScreen({ loaderData: { user } }: Route.ComponentProps) {
  const t = useTranslations("settings");
  const form = useRef<HTMLFormElement>(null);
  const faults = useFormFaults(form);
  const [isBusy, setBusy] = useState(false);

  async function handleSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const reading = readForm(saveFilter.input, new FormData(event.currentTarget));
    if (!reading.ok) {
      faults.show(reading.errors);
      return;
    }
    setBusy(true);
    faults.clear();
    try {
      await api(saveFilter, reading.value);
      banner.notify("settings.saved");
    } catch (error) {
      if (error instanceof Refused && Object.keys(error.errors).length > 0) faults.show(error.errors);
      else tellFailure(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form ref={form} className="stack" onSubmit={(event) => void handleSubmit(event)}>
      <div className="screen-head">
        <h1>{t("filter")}</h1>
      </div>
      <FilterFields user={user} errors={faults.errors} />
      <Button type="submit" block busy={isBusy}>
        {t("save")}
      </Button>
    </form>
  );
}
