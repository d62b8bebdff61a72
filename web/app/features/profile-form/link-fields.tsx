import { useTranslations } from "use-intl";
import type { ValidationErrors } from "@alcove/contract/fields";
import { URL_MAX } from "@alcove/contract/limits";
import { socialLinks, type User } from "@alcove/contract/users";
import { errorOf } from "../../lib/forms/form.ts";
import { TextField } from "../../ui/forms/field.tsx";

const NAMES = { twitter: "X (Twitter)", instagram: "Instagram", facebook: "Facebook", line: "LINE" } as const;

export function LinkFields({ user, errors }: { user?: User; errors: ValidationErrors }) {
  const t = useTranslations("profileForm");
  return (
    <section className="stack">
      <h2>
        {t("links")} <span className="opt small">{t("optional")}</span>
      </h2>
      <p className="hint">{t("linksHint")}</p>
      {socialLinks.map((name) => (
        <TextField
          key={name}
          label={NAMES[name]}
          name={name}
          type="url"
          defaultValue={user?.[name] ?? ""}
          placeholder="https://"
          maxLength={URL_MAX}
          autoComplete="off"
          error={errorOf(errors, name)}
        />
      ))}
    </section>
  );
}
