import { languageOf, languages, loadTranslations, type Language, type Translations } from "@alcove/i18n";

/** `lang` of the document for each language of the product. */
export const DOCUMENT_LANG: Record<Language, string> = {
  en: "en",
  ja: "ja",
  "zh-hans": "zh-Hans",
  "zh-hant": "zh-Hant",
};

/** Under which the chosen language is kept on the device. */
export const LANGUAGE_KEY = "language";
const YEAR_SECONDS = 365 * 24 * 60 * 60;
const loadedTranslations = new Map<Language, Translations>();

/** The language of an address's first segment; a page under an unknown one is in English. */
export function languageOfSegment(segment: string | undefined): Language {
  return languages.find((language) => language === segment) ?? "en";
}

/** The language of the page that is shown. */
export function currentLanguage(): Language {
  return languageOfSegment(location.pathname.split("/")[1]);
}

export async function prepareTranslations(language: Language): Promise<void> {
  if (!loadedTranslations.has(language)) loadedTranslations.set(language, await loadTranslations(language));
}

/** The translations of a language; `prepareTranslations` must have loaded them. */
export function translationsOf(language: Language): Translations {
  const translations = loadedTranslations.get(language);
  if (!translations) throw new Error(`the translations of ${language} are not loaded`);
  return translations;
}

/** Keeps the member's choice, also for the server, which sends `/` to it. */
export function rememberLanguage(language: Language): void {
  localStorage.setItem(LANGUAGE_KEY, language);
  document.cookie = `${LANGUAGE_KEY}=${language}; path=/; max-age=${YEAR_SECONDS}; samesite=lax`;
}

/** The language for somebody who names none: the stored choice, else the device's. */
export function preferredLanguage(deviceLanguage: string): Language {
  const stored = localStorage.getItem(LANGUAGE_KEY);
  return languages.find((language) => language === stored) ?? languageOf(deviceLanguage);
}

/** The same page in another language: the prefix changes, query and fragment stay. */
export function pathInLanguage(
  language: Language,
  at: { pathname: string; search: string; hash: string },
): string {
  const [, , ...rest] = at.pathname.split("/");
  return `${["", language, ...rest].join("/")}${at.search}${at.hash}`;
}
