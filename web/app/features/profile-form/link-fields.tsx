import { useTranslations } from "use-intl";
import type { User } from "@alcove/contract/users";
import { socialLinks } from "@alcove/contract/social-links";
import type { ErrorsOf } from "../../lib/forms/use-form-errors.ts";
import { TextField } from "../../ui/forms/field.tsx";
import { classNames } from "../../ui/class-names.ts";
import fieldStyles from "../../ui/forms/field.module.css";

const NAMES = { twitter: "X (Twitter)", instagram: "Instagram", facebook: "Facebook", line: "LINE" } as const;

export function LinkFields({ user, errorsOf }: { user?: Partial<User>; errorsOf: ErrorsOf }) {
  const t = useTranslations("profileForm");
  const ui = useTranslations("ui");
  return (
    <section className="stack" role="group" aria-labelledby="links-title" aria-describedby="links-hint">
      <h2 id="links-title">
        {t("links")} <span className={classNames(fieldStyles.optional, "small")}>{ui("optional")}</span>
      </h2>
      <p className="hint" id="links-hint">
        {t("linksHint")}
      </p>
      {socialLinks.map((name) => (
        <TextField
          key={name}
          label={NAMES[name]}
          name={name}
          type="url"
          defaultValue={user?.[name] ?? ""}
          placeholder="https://"
          autoComplete="off"
          {...errorsOf(name)}
        />
      ))}
    </section>
  );
}
