import { useRef, useState } from "react";
import { type ActionFunctionArgs, type LoaderFunctionArgs, useLoaderData, useNavigate } from "react-router";
import { useTranslations } from "use-intl";
import { getOwnUser } from "@alcove/contract/accounts";
import { filterSuggestions, WIDER_RANGES, widenings } from "@alcove/contract/suggestions";
import { parseFields } from "@alcove/contract/fields";
import { saveFilter } from "@alcove/contract/profiles";
import type { User } from "@alcove/contract/users";
import { FilterFields } from "../../features/profile-form/filter-fields.tsx";
import { api } from "../../lib/api/api.ts";
import { banner } from "../../lib/page/banner.ts";
import { actionResult } from "../../lib/forms/form-result.ts";
import { submitForm } from "../../lib/forms/submit-form.ts";
import { useForm } from "../../lib/forms/use-form.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Form } from "../../ui/forms/form.tsx";
import { Icon } from "../../ui/icon.tsx";
import { changedFields, type Values, valuesOf } from "./changed-fields.ts";
import { SaveBar } from "./save-bar.tsx";
import { SettingHead } from "./setting-head.tsx";
import noteStyles from "../../ui/styles/note.module.css";

export async function loader({ request }: LoaderFunctionArgs) {
  const requested = new URL(request.url).searchParams;
  const suggestion = filterSuggestions.find((known) => known === requested.get("suggestion")) ?? null;
  const maxRange = WIDER_RANGES.find((range) => String(range) === requested.get("max_range"));
  const { user } = await api(getOwnUser, {});
  return { user, suggestion, maxRange };
}

export async function action({ request }: ActionFunctionArgs) {
  return actionResult(await submitForm(saveFilter, await request.formData()));
}

type Suggested = Partial<
  Pick<User, "search_sex" | "search_min_range" | "search_max_range" | "search_min_age" | "search_max_age">
>;

/** The values of the suggested fields, as the form has them. */
const textsOf = (user: Suggested, suggested: Suggested): Values =>
  Object.fromEntries(Object.keys(suggested).map((name) => [name, String(user[name as keyof Suggested])]));

/** Sets the home screen's suggestion in the form without saving it. */
export default function FilterScreen() {
  const { user, suggestion, maxRange } = useLoaderData<typeof loader>();
  const t = useTranslations("settings");
  const base = useLanguagePath();
  const navigate = useNavigate();
  const suggested: Suggested = {
    ...(suggestion && widenings[suggestion]),
    ...(suggestion && maxRange !== undefined && { search_max_range: maxRange }),
  };
  const stored = textsOf(user, suggested);
  const [changes, setChanges] = useState(() => changedFields(textsOf(suggested, suggested), stored).length);
  const saved = useRef<Values | null>(null);
  const form = useForm<unknown>({
    check(fields) {
      const parsed = parseFields(saveFilter.input, valuesOf(fields));
      return parsed.ok ? {} : parsed.errors;
    },
    onChange(element) {
      if (saved.current) setChanges(changedFields(valuesOf(new FormData(element)), saved.current).length);
    },
    async onDone() {
      remember(form.props.ref.current);
      setChanges(0);
      if (suggestion) await navigate(base);
      banner.notify("settings.saved");
    },
  });

  function remember(element: HTMLFormElement | null, unlikeForm: Values = {}) {
    if (element) saved.current = { ...valuesOf(new FormData(element)), ...unlikeForm };
  }
  return (
    <Form {...form.props} className="stack stack--wide">
      <SettingHead title={t("filter")} />
      {suggestion && (
        <p className={noteStyles.note}>
          <Icon name="filter" />
          <span>{t("widened")}</span>
        </p>
      )}
      <div
        key={suggestion}
        ref={(fields) => {
          if (!saved.current) remember(fields?.closest("form") ?? null, stored);
        }}
      >
        <FilterFields user={{ ...user, ...suggested }} errorsOf={form.errorsOf} />
      </div>
      <SaveBar changes={changes} isBusy={form.isBusy} />
    </Form>
  );
}
