import { useRef } from "react";
import { useNavigate } from "react-router";
import { useTranslations } from "use-intl";
import { getOwnUser } from "@alcove/contract/accounts";
import type { ParsedOf } from "@alcove/contract/call";
import { filterSuggestions, widenings } from "@alcove/contract/discovery";
import { saveFilter } from "@alcove/contract/profiles";
import { FilterFields } from "../../features/profile-form/filter-fields.tsx";
import { useFormErrors } from "../../lib/forms/use-form-errors.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { api } from "../../lib/api.ts";
import { useLanguagePath } from "../../lib/use-language-path.ts";
import { banner } from "../../lib/banner.ts";
import { readForm } from "../../lib/forms/form.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/form.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { Route } from "./+types/filter";

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const asked = new URL(request.url).searchParams.get("suggestion");
  const suggestion = filterSuggestions.find((known) => known === asked) ?? null;
  const { user } = await api(getOwnUser, {});
  return { user: { ...user, ...(suggestion && widenings[suggestion]) }, suggestion };
}

/** Whom the member would like to meet. What the home screen suggests is set already, and waits to be saved. */
export default function FilterScreen({ loaderData: { user, suggestion } }: Route.ComponentProps) {
  const t = useTranslations("settings");
  const base = useLanguagePath();
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const faults = useFormErrors(form);
  const save = useAction(async (filter: ParsedOf<typeof saveFilter>) => {
    await api(saveFilter, filter);
    banner.notify("settings.saved");
    if (suggestion) await navigate(base);
  }, faults.showFailure);

  function handleSubmit(sent: HTMLFormElement) {
    const reading = readForm(saveFilter.input, new FormData(sent));
    if (!reading.ok) return faults.show(reading.errors);
    faults.clear();
    save.start(reading.value);
  }

  return (
    <Form ref={form} className="stack" onSubmit={handleSubmit}>
      <div className="screen-head">
        <h1>{t("filter")}</h1>
      </div>
      {suggestion && (
        <p className="note">
          <Icon name="filter" />
          <span>{t("widened")}</span>
        </p>
      )}
      <FilterFields key={suggestion} user={user} errors={faults.errors} />
      <Button type="submit" block busy={save.isBusy}>
        {t("save")}
      </Button>
    </Form>
  );
}
