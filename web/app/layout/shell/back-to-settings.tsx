import { Link } from "react-router";
import { useTranslations } from "use-intl";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Icon } from "../../ui/icon.tsx";
import { classNames } from "../../ui/class-names.ts";
import buttonStyles from "../../ui/button.module.css";

/** A member's way back to the settings menu. A wide screen shows that menu, or reaches it in one step. */
export function BackToSettings({ className }: { className?: string | undefined }) {
  const t = useTranslations("settings");
  const base = useLanguagePath();
  return (
    <Link
      className={classNames(buttonStyles.iconButton, "for-members only-narrow", className)}
      to={`${base}/setting`}
      aria-label={t("back")}
    >
      <Icon name="back" />
    </Link>
  );
}
