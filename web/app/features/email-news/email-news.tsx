import { Link } from "react-router";
import { useTranslations } from "use-intl";
import type { User } from "@alcove/contract/users";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Icon } from "../../ui/icon.tsx";
import { classNames } from "../../ui/class-names.ts";
import noteStyles from "../../ui/styles/note.module.css";
import styles from "./email-news.module.css";

/** Leads to a choice that waits, or to a request for a new address that this device can stop. */
export function EmailNews({ user }: { user: Pick<User, "email_choice_due" | "new_email_asked"> }) {
  const t = useTranslations("ownEmail");
  const base = useLanguagePath();
  if (!user.email_choice_due && !user.new_email_asked) return null;
  return (
    <div className={classNames(noteStyles.note, noteStyles.lamp, styles.news)} role="note">
      <Icon name="mail" />
      <p>
        {t(user.email_choice_due ? "newsChoice" : "newsRequest")}{" "}
        <Link to={`${base}/setting/email`}>{t("look")}</Link>
      </p>
    </div>
  );
}
