import { languageOf, languages, type Language } from "@alcove/i18n";
import { LANGUAGE_COOKIE_DAYS } from "@alcove/contract/retention";
import { browserStore } from "../../device/stored.ts";

export const DOCUMENT_LANG: Record<Language, string> = {
  en: "en",
  ja: "ja",
  "zh-hans": "zh-Hans",
  "zh-hant": "zh-Hant",
};

const COOKIE_SECONDS = LANGUAGE_COOKIE_DAYS * 24 * 60 * 60;

export function languageOfSegment(segment: string | undefined): Language {
  return languages.find((language) => language === segment) ?? "en";
}

export function currentLanguage(): Language {
  return languageOfSegment(location.pathname.split("/")[1]);
}

/** Stores the choice, in a cookie too: the server redirects `/` to it. */
export function rememberLanguage(language: Language): void {
  browserStore.set("language", language);
  const secure = location.protocol === "https:" ? "; secure" : "";
  try {
    document.cookie = `language=${language}; path=/; max-age=${COOKIE_SECONDS}; samesite=lax${secure}`;
  } catch {
    // The browser denies cookies; the URL holds the language.
  }
}

export function forgetLanguage(): void {
  browserStore.remove("language");
  try {
    document.cookie = "language=; path=/; max-age=0; samesite=lax";
  } catch {
    // The browser denies cookies.
  }
}

export function preferredLanguage(deviceLanguage: string): Language {
  const stored = browserStore.get("language");
  return languages.find((language) => language === stored) ?? languageOf(deviceLanguage);
}

export function pathInLanguage(
  language: Language,
  at: { pathname: string; search: string; hash: string },
): string {
  const [, , ...rest] = at.pathname.split("/");
  return `${["", language, ...rest].join("/")}${at.search}${at.hash}`;
}
