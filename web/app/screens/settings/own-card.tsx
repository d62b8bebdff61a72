import { Link } from "react-router";
import { useTranslations } from "use-intl";
import type { User } from "@alcove/contract/users";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { buttonClass } from "../../ui/button.tsx";

/** The member as saved, with the way to the preview. */
export function OwnCard({ user }: { user: User }) {
  const t = useTranslations("settings");
  const tp = useTranslations("profile");
  return (
    <section className="card own-card">
      <span className="portrait">
        <img src={user.icon} alt="" width="600" height="600" />
      </span>
      <div>
        <strong>{tp("nameAge", { name: user.username, age: String(user.age) })}</strong>
        <p className="hint">{t("previewLine")}</p>
      </div>
      <Link
        className={buttonClass({ kind: "quiet", small: true })}
        to={`${useLanguagePath()}/setting/preview`}
      >
        {t("preview")}
      </Link>
    </section>
  );
}
