import type { ReactNode } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import type { User } from "@alcove/contract/users";
import { isolated } from "../../lib/texts/isolated.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { buttonClass } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import cardStyles from "../../ui/styles/card.module.css";
import portraitStyles from "../../ui/styles/portrait.module.css";
import styles from "./own-card.module.css";

interface OwnCardProps {
  user: User;
  /** Below the name, in place of the line about the preview. */
  children?: ReactNode;
}

/** The member as saved, with the way to the preview. */
export function OwnCard({ user, children }: OwnCardProps) {
  const t = useTranslations("settings");
  const tp = useTranslations("profile");
  return (
    <section className={classNames(cardStyles.card, styles.ownCard)}>
      <span className={portraitStyles.portrait}>
        <img src={user.icon} alt="" width="600" height="600" />
      </span>
      <div>
        <strong>{tp("nameAge", { name: isolated(user.username), age: String(user.age) })}</strong>
        {children ?? <p className="hint">{t("previewLine")}</p>}
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
