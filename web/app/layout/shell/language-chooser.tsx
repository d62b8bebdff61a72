import { Link, useLocation } from "react-router";
import { useLocale, useTranslations } from "use-intl";
import { languages, type Language } from "@alcove/i18n";
import { DOCUMENT_LANG, pathInLanguage, rememberLanguage } from "../../lib/texts/language.ts";
import { Sheet } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import styles from "./language-chooser.module.css";

const NAMES: Record<Language, string> = {
  en: "English",
  ja: "日本語",
  "zh-hant": "繁體中文",
  "zh-hans": "简体中文",
};

const ORDER: readonly Language[] = ["en", "ja", "zh-hant", "zh-hans"];

export function LanguageChooser({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const t = useTranslations("shell");
  const current = useLocale();
  const location = useLocation();
  const now = languages.find((language) => language === current) ?? "en";
  return (
    <Sheet isOpen={isOpen} onClose={onClose} title={t("language")} closeButton>
      <p className="muted small">{t("languageNow", { name: NAMES[now] })}</p>
      <div className={styles.languages}>
        {ORDER.filter((language) => language !== now).map((language) => (
          <Link
            key={language}
            to={pathInLanguage(language, location)}
            lang={DOCUMENT_LANG[language]}
            hrefLang={DOCUMENT_LANG[language]}
            replace
            preventScrollReset
            onClick={() => {
              rememberLanguage(language);
              onClose();
            }}
          >
            {NAMES[language]}
            <Icon name="next" small />
          </Link>
        ))}
      </div>
    </Sheet>
  );
}
