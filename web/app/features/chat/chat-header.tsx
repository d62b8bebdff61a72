import type { ReactNode } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import type { Party } from "@alcove/contract/users";
import { privacyScreen } from "../../lib/page/privacy-screen.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { IconButton } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Avatar } from "../../ui/people.tsx";
import { classNames } from "../../ui/class-names.ts";
import buttonStyles from "../../ui/button.module.css";
import styles from "./chat.module.css";

/** The only bar of a phone. */
export function ChatHeader({ friend, menu }: { friend: Party; menu: ReactNode }) {
  const t = useTranslations("chat");
  const tShell = useTranslations("shell");
  const base = useLanguagePath();
  return (
    <div className={styles.head}>
      <Link
        className={classNames(buttonStyles.iconButton, "only-narrow")}
        to={`${base}/dm`}
        aria-label={t("toList")}
        title={t("toList")}
      >
        <Icon name="back" />
      </Link>
      <Link
        className={styles.who}
        to={`${base}/home/${encodeURIComponent(friend.user_id)}`}
        title={t("toProfile")}
      >
        <Avatar src={friend.icon} size="sm" />
        <h1 className={styles.name} dir="auto">
          {friend.username}
        </h1>
      </Link>
      <span className="only-narrow">
        <IconButton icon="hide" label={tShell("hide")} onClick={privacyScreen.showAndLock} />
      </span>
      <Link
        className={classNames(buttonStyles.iconButton, styles.home)}
        to={base}
        aria-label={t("toHome")}
        title={t("toHome")}
      >
        <Icon name="home" />
      </Link>
      {menu}
    </div>
  );
}
