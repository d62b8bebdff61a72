import type { ReactNode } from "react";
import { useTranslations } from "use-intl";
import type { LegalVersion } from "@alcove/contract/legal-versions";
import type { Language } from "@alcove/i18n";
import { DOCUMENT_LANG } from "../../lib/texts/language.ts";
import { BackToSettings } from "../../layout/shell/back-to-settings.tsx";
import { PublicShell } from "../../layout/shell/shell.tsx";
import { Segmented } from "../../ui/forms/segmented.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { LegalSection, LegalText } from "./legal-text.ts";
import { BINDING_LANGUAGE, type ShownText } from "./legal-texts.ts";
import { fillIn } from "./legal-values.ts";
import { classNames } from "../../ui/class-names.ts";
import noteStyles from "../../ui/styles/note.module.css";
import proseStyles from "../../ui/styles/prose.module.css";
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
        {binding && (
          <div className="only-narrow">
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
          <Article
            language={language}
            text={text}
            className={binding ? styles.translation : undefined}
            tag={binding && <strong>{t("translation")}</strong>}
          />
          {binding && (
            <Article
              language={BINDING_LANGUAGE}
              text={binding}
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

interface ArticleProps {
  language: Language;
  text: LegalText;
  className: string | undefined;
  tag: ReactNode;
}

function Article({ language, text, className, tag }: ArticleProps) {
  return (
    <article className={classNames(proseStyles.prose, className)} lang={DOCUMENT_LANG[language]}>
      {tag && <p className={styles.tag}>{tag}</p>}
      {text.sections.map((section) => (
        <Section key={section.heading} {...section} />
      ))}
    </article>
  );
}

function Section({ heading, paragraphs, items }: LegalSection) {
  return (
    <section className={classNames(proseStyles.prose, styles.section)}>
      {heading && <h2>{heading}</h2>}
      {paragraphs?.map((paragraph) => (
        <p key={paragraph}>{fillIn(paragraph)}</p>
      ))}
      {items && (
        <dl className={styles.list}>
          {items.map(([term, description]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{fillIn(description)}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
