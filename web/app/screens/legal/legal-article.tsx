import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Language } from "@alcove/i18n";
import { DOCUMENT_LANG } from "../../lib/texts/language.ts";
import { useLanguagePath } from "../../lib/texts/use-language-path.ts";
import type { LegalSection } from "./legal-text.ts";
import { useFillIn } from "./legal-values.ts";
import { classNames } from "../../ui/class-names.ts";
import proseStyles from "../../ui/styles/prose.module.css";
import styles from "./legal.module.css";

interface LegalArticleProps {
  language: Language;
  sections: readonly LegalSection[];
  className?: string | undefined;
  tag?: ReactNode;
}

export function LegalArticle({ language, sections, className, tag }: LegalArticleProps) {
  return (
    <article className={classNames(proseStyles.prose, className)} lang={DOCUMENT_LANG[language]}>
      {tag && <p className={styles.tag}>{tag}</p>}
      {sections.map((section) => (
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
        <p key={paragraph}>
          <Filled text={paragraph} />
        </p>
      ))}
      {items && (
        <dl className={styles.list}>
          {items.map(([term, description]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>
                <Filled text={description} />
              </dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

const LINK = /\[([^\]]+)\]\(([^)]+)\)/;

/** Shows `[text](/path)` as a link below the language, and the support address as a link. */
function Filled({ text }: { text: string }) {
  const base = useLanguagePath();
  const fillIn = useFillIn();
  const withAddress = text.replaceAll("{email}", "[{email}](mailto:{email})");
  // Every third part is the path of the text before it.
  const parts = fillIn(withAddress).split(LINK);
  return parts.map((part, index) => {
    if (index % 3 === 0) return part;
    if (index % 3 === 2) return null;
    const path = parts[index + 1]!;
    return path.startsWith("mailto:") ? (
      <a key={path} href={path}>
        {part}
      </a>
    ) : (
      <Link key={path} to={`${base}${path}`}>
        {part}
      </Link>
    );
  });
}
