import { useParams } from "react-router";
import { OperatorDetails } from "../../features/operator/operator-details.tsx";
import { BackToSettings } from "../../layout/shell/back-to-settings.tsx";
import { PublicShell } from "../../layout/shell/shell.tsx";
import { languageOfSegment } from "../../lib/texts/language.ts";
import { infoTexts, type InfoTexts } from "./info-texts.ts";
import { LegalArticle } from "./legal-article.tsx";
import { OperatorSection } from "./operator-section.tsx";
import { classNames } from "../../ui/class-names.ts";
import styles from "./legal.module.css";
import screenHeadStyles from "../../ui/styles/screen-head.module.css";

interface InfoPageProps {
  page: keyof InfoTexts;
  skippedSections?: number;
  isOperatorFirst?: boolean;
}

/** A page of text with the operator above or below it. */
export function InfoPage({ page, skippedSections = 0, isOperatorFirst = false }: InfoPageProps) {
  const language = languageOfSegment(useParams()["lang"]);
  const { title, sections } = infoTexts[language][page];
  return (
    <PublicShell width="text">
      <div className={classNames(styles.legal, "stack-lg")}>
        <div className="stack-sm">
          <div className={screenHeadStyles.head}>
            <BackToSettings />
            <h1>{title}</h1>
          </div>
          {isOperatorFirst && <OperatorDetails />}
        </div>
        <LegalArticle language={language} sections={sections.slice(skippedSections)} />
        {!isOperatorFirst && <OperatorSection />}
      </div>
    </PublicShell>
  );
}
