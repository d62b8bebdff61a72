import type { ReactNode } from "react";
import { Link } from "react-router";
import { useTranslations } from "use-intl";
import { settings } from "../../lib/page/settings.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { buttonClass } from "../../ui/button.tsx";
import { Icon, type IconName } from "../../ui/icon.tsx";
import { classNames } from "../../ui/class-names.ts";
import buttonStyles from "../../ui/button.module.css";
import styles from "./login.module.css";

interface LandingProps {
  /** Marks it in a built page. */
  className?: string | undefined;
}

interface PitchProps extends LandingProps {
  /** The form below is open, and its button comes first. */
  isOpen: boolean;
}

/** The pitch and the way in for newcomers. */
export function Pitch({ className, isOpen }: PitchProps) {
  const t = useTranslations("login");
  const base = useLanguagePath();
  return (
    <div className={classNames(styles.part, className)}>
      <h1>{t.rich("pitch", { w: (words) => <span className="unbroken">{words}</span> })}</h1>
      <Link
        className={buttonClass({ kind: isOpen ? "quiet" : "primary", block: true })}
        to={`${base}/sign-up`}
      >
        {t("createAccount")}
      </Link>
    </div>
  );
}

/** Three facts about discretion. */
export function Facts({ className }: LandingProps) {
  const t = useTranslations("login");
  const base = useLanguagePath();
  return (
    <div className={className}>
      <ul className={styles.facts}>
        <Fact icon="card">{t("factStatement", { text: settings.statementText })}</Fact>
        <Fact icon="bell">{t("factNotifications")}</Fact>
        <Fact icon="glass">{t("factBlurred")}</Fact>
      </ul>
      <Link className={buttonStyles.linkButton} to={`${base}/how-it-works`}>
        {t("howItWorks")}
        <Icon name="next" small />
      </Link>
    </div>
  );
}

function Fact({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <li>
      <Icon name={icon} />
      <span>{children}</span>
    </li>
  );
}
