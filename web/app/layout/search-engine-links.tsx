import { languages, type Language } from "@alcove/i18n";
import { DOCUMENT_LANG } from "../lib/texts/language.ts";
import { settings } from "../lib/page/settings.ts";
import { textsOf } from "../lib/texts/texts.ts";

/** The pages that search engines may list, below the language. They get the first page as a visitor does. */
const LISTED = [
  "",
  "login",
  "about-service",
  "how-it-works",
  "pricing",
  "tos",
  "privacy-policy",
  "provider",
  "accessibility",
  "child-safety",
  "delete-account",
  "contact",
];

interface SearchEngineLinksProps {
  language: Language;
  /** The path below the language. */
  page: string;
}

/** Keeps all other pages out of search engines. Title and description reveal nothing about the service. */
export function SearchEngineLinks({ language, page }: SearchEngineLinksProps) {
  if (!LISTED.includes(page)) return <meta name="robots" content="noindex" />;
  const urlIn = (other: string) => `${settings.origin}/${other}${page && `/${page}`}`;
  return (
    <>
      <meta name="description" content={textsOf(language).shell.description} />
      <link rel="canonical" href={urlIn(language)} />
      {languages.map((other) => (
        <link key={other} rel="alternate" hrefLang={DOCUMENT_LANG[other]} href={urlIn(other)} />
      ))}
      <link rel="alternate" hrefLang="x-default" href={urlIn("en")} />
    </>
  );
}
