import { useTranslations } from "use-intl";
import type { LegalVersion } from "@alcove/contract/legal-versions";
import { DOCUMENT_LANG } from "../../lib/texts/language.ts";
import { BackToSettings } from "../../layout/shell/back-to-settings.tsx";
import { PublicShell } from "../../layout/shell/shell.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { Icon } from "../../ui/icon.tsx";
import { LegalArticle } from "./legal-article.tsx";
import { BINDING_LANGUAGE, type ShownText } from "./legal-texts.ts";
import { OperatorSection } from "./operator-section.tsx";
import { classNames } from "../../ui/class-names.ts";
import noteStyles from "../../ui/styles/note.module.css";
import styles from "./legal.module.css";
import screenHeadStyles from "../../ui/styles/screen-head.module.css";

const BINDING_NAME = "繁體中文";

interface LegalPageProps {
  shown: ShownText;
  path: string;
  versions: readonly LegalVersion[];
}

/** Shows both texts beside each other, on a narrow screen one of them. The choice is a style, without a script. */
export function LegalPage({ shown, path, versions }: LegalPageProps) {
  const { language, text, binding, isFallback } = shown;
  const t = useTranslations("legal");
  return (
    <PublicShell width={binding ? "wide" : "text"}>
      <div className={classNames(styles.legal, "stack-lg")}>
        <div className="stack-sm">
          <div className={screenHeadStyles.head}>
            <BackToSettings />
            <h1 lang={isFallback ? DOCUMENT_LANG[language] : undefined}>{text.title}</h1>
          </div>
          <p className="muted small">{t("version", { date: dateOf(versions[0]!) })}</p>
        </div>
        {language !== BINDING_LANGUAGE && (
          <div className={noteStyles.note}>
            <Icon name="info" />
            <p>
              {t("binding")} {isFallback && <a href={`/${BINDING_LANGUAGE}/${path}`}>{BINDING_NAME}</a>}
            </p>
          </div>
        )}
        <OperatorSection />
        {binding && (
          <div className={styles.choice}>
            <Segmented
              legend={t("choose")}
              isLegendHidden
              name="legal-text"
              choices={[
                ["translation", t("translation")],
                ["binding", BINDING_NAME],
              ]}
              defaultValue="translation"
            />
          </div>
        )}
        <div className={binding ? styles.pair : undefined}>
          <LegalArticle
            language={language}
            sections={text.sections}
            className={binding ? styles.translation : undefined}
            tag={binding && <strong>{t("translation")}</strong>}
          />
          {binding && (
            <LegalArticle
              language={BINDING_LANGUAGE}
              sections={binding.sections}
              className={styles.binding}
              tag={
                <>
                  <strong>{BINDING_NAME}</strong>
                  <span lang={DOCUMENT_LANG[language]}>{t("bindingTag")}</span>
                </>
              }
            />
          )}
        </div>
        <Changes versions={versions} />
      </div>
    </PublicShell>
  );
}

const dateOf = ({ version }: LegalVersion) => version.replaceAll("-", "/");

function Changes({ versions }: { versions: readonly LegalVersion[] }) {
  const t = useTranslations("legal");
  const tChanges = useTranslations("legalChanges");
  return (
    <section className="stack-sm">
      <h2>{t("changes")}</h2>
      <dl className={styles.list}>
        {versions.map((version) => (
          <div key={version.version}>
            <dt>{dateOf(version)}</dt>
            {version.changes.map((change) => (
              <dd key={change}>{tChanges(change)}</dd>
            ))}
          </div>
        ))}
      </dl>
    </section>
  );
}
