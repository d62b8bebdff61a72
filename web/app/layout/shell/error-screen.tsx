import { Link, useParams } from "react-router";
import { useTranslations } from "use-intl";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import { languageOfSegment } from "../../lib/texts/language.ts";
import { Art } from "../../ui/art.tsx";
import { Button, buttonClass } from "../../ui/button.tsx";
import { PublicShell } from "./shell.tsx";
import { classNames } from "../../ui/class-names.ts";
import messagePageStyles from "../../ui/styles/message-page.module.css";
import styles from "./shell.module.css";

interface ErrorScreenProps {
  /** Shown in one line, without the empty ones. */
  details: readonly (string | number | false | undefined)[];
  isOffline?: boolean;
  /** Instead of the text for an unexpected error. */
  title?: string;
}

const lineOf = (details: ErrorScreenProps["details"]) => details.filter(Boolean).join(" · ");

export function ErrorScreen({ details, isOffline, title }: ErrorScreenProps) {
  const t = useTranslations("errorScreen");
  const base = useLanguagePath();
  return (
    <PublicShell width="form">
      <div className={messagePageStyles.page}>
        <Art viewBox="50 34 300 226" isLit={false} />
        <p className="muted num">{lineOf(details)}</p>
        <h1>{title ?? t(isOffline ? "offline" : "title")}</h1>
        {title === undefined && <p className="muted">{t(isOffline ? "offlineText" : "text")}</p>}
        <div className="row">
          <Button onClick={() => location.reload()}>{t("again")}</Button>
          <Link className={buttonClass({ kind: "quiet" })} to={base}>
            {t("home")}
          </Link>
        </div>
      </div>
    </PublicShell>
  );
}

/** The same without translations, which may have failed to load. */
export function PlainErrorScreen({ details }: ErrorScreenProps) {
  const { lang } = useParams();
  return (
    <main className={classNames(styles.main, styles.form)}>
      <div className={messagePageStyles.page}>
        <Art viewBox="50 34 300 226" isLit={false} />
        <h1 className="num">{lineOf(details)}</h1>
        <a className={buttonClass({})} href={`/${languageOfSegment(lang)}`}>
          ↻
        </a>
      </div>
    </main>
  );
}

export function NotFoundScreen() {
  const t = useTranslations("errorScreen");
  const base = useLanguagePath();
  return (
    <PublicShell width="form">
      <div className={messagePageStyles.page}>
        <Art viewBox="50 34 300 226" isLit={false} />
        <p className="muted num">404</p>
        <h1>{t("notFound")}</h1>
        <p className="muted">{t("notFoundText")}</p>
        <Link className={buttonClass({})} to={base}>
          {t("home")}
        </Link>
      </div>
    </PublicShell>
  );
}
