import { useRef } from "react";
import { useNavigate } from "react-router";
import { useTranslations } from "use-intl";
import { getOwnUser } from "@alcove/contract/accounts";
import type { ParsedOf } from "@alcove/contract/call";
import { filterSuggestions, widenings } from "@alcove/contract/suggestions";
import { saveFilter } from "@alcove/contract/profiles";
import { FilterFields } from "../../features/profile-form/filter-fields.tsx";
import { api } from "../../lib/api.ts";
import { banner } from "../../lib/banner.ts";
import { readForm } from "../../lib/forms/form.ts";
import { useAction } from "../../lib/forms/use-action.ts";
import { serverErrorsOf, useFormErrors } from "../../lib/forms/use-form-errors.ts";
import { useLanguagePath } from "../../lib/use-language-path.ts";
import { Button } from "../../ui/button.tsx";
import { Form } from "../../ui/forms/form.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { Route } from "./+types/filter";

export async function clientLoader({ request }: Route.ClientLoaderArgs) {
  const requested = new URL(request.url).searchParams.get("suggestion");
  const suggestion = filterSuggestions.find((known) => known === requested) ?? null;
  const { user } = await api(getOwnUser, {});
  return { user: { ...user, ...(suggestion && widenings[suggestion]) }, suggestion };
}

/** Sets the home screen's suggestion in the form without saving it. */
export default function FilterScreen({ loaderData: { user, suggestion } }: Route.ComponentProps) {
  const t = useTranslations("settings");
  const base = useLanguagePath();
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const formErrors = useFormErrors(form);
  const save = useAction(async (filter: ParsedOf<typeof saveFilter>) => {
    await api(saveFilter, filter);
    banner.notify("settings.saved");
    if (suggestion) await navigate(base);
  }, formErrors.showFailure);

  function handleSubmit(element: HTMLFormElement) {
    const parsed = readForm(saveFilter.input, new FormData(element));
    if (!parsed.ok) return formErrors.show(parsed.errors);
    formErrors.clear();
    save.start(parsed.value);
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
      <FilterFields key={suggestion} user={user} errorsOf={serverErrorsOf(formErrors.errors)} />
      <Button type="submit" block busy={save.isBusy}>
        {t("save")}
      </Button>
    </Form>
  );
}
