import { Link } from "react-router";
import { useTranslations } from "use-intl";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { Icon } from "../../ui/icon.tsx";

/** A member's way back to the settings menu. A wide screen shows that menu, or reaches it in one step. */
export function BackToSettings({ className }: { className?: string }) {
  const t = useTranslations("settings");
  const base = useLanguagePath();
  return (
    <Link
      className={["icon-btn for-members only-narrow", className].filter(Boolean).join(" ")}
      to={`${base}/setting`}
      aria-label={t("back")}
    >
      <Icon name="back" />
    </Link>
  );
}
