import type { Language, Translations } from "@alcove/i18n";
import { allTranslations } from "@alcove/i18n/all";

/** The sentences of a language, as its screens show them. */
export function wordsOf(language: Language): Translations {
  return allTranslations[language];
}

/** A sentence with its values filled in and its marks left out: `<link>terms</link>` reads "terms". */
export function said(sentence: string, values: Record<string, string | number> = {}): string {
  const filled = Object.entries(values).reduce(
    (text, [name, value]) => text.replaceAll(`{${name}}`, String(value)),
    sentence,
  );
  return filled.replaceAll(/<\/?\w+>/g, "");
}
