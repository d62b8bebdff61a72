import { Link } from "react-router";
import { useTranslations } from "use-intl";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { buttonClass } from "../../ui/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import cardStyles from "../../ui/styles/card.module.css";

/** Members have a place of their own for questions. */
export function AskInside() {
  const t = useTranslations("contact");
  const name = useTranslations("help")("title");
  const base = useLanguagePath();
  return (
    <section className={classNames(cardStyles.card, "stack")}>
      <div className="stack-sm">
        <h2>{t("askInside")}</h2>
        <p className="muted small">{t("askInsideText", { name })}</p>
      </div>
      <Link className={buttonClass({ block: true })} to={`${base}/setting/help`}>
        {t("openHelp", { name })}
      </Link>
      <p className="muted small">
        <a href="/third-party-notices.txt">{t("notices")}</a>
      </p>
    </section>
  );
}
