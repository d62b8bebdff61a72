import { flatten } from "./flatten.ts";
import { languages } from "./index.ts";
import { terms as allTerms, unwanted, unwantedExcept, type Term } from "./terms.ts";

/** Finds words that a term rejects, and terms whose word no message has. */
export function findTermProblems(translations: Record<string, unknown>, terms = allTerms): string[] {
  return languages.flatMap((language) => {
    const messages = [...flatten(translations[language] ?? {})];
    const text = messages.map(([, message]) => message.toLowerCase()).join("\n");
    return terms.flatMap((term) => {
      const word = term.word[language];
      const unused = text.includes(word.toLowerCase()) ? [] : [`${language}: no message says “${word}”`];
      return [...unused, ...rejectedBy(term, language, messages)];
    });
  });
}

function rejectedBy(term: Term, language: (typeof languages)[number], messages: [string, string][]) {
  const rejected = term.rejected?.[language];
  if (!rejected) return [];
  const found = messages.filter(([key, message]) => !term.except?.includes(key) && rejected.test(message));
  return found.map(
    ([key, message]) =>
      `${language}: ${key} says “${rejected.exec(message)?.[0]}”; the word is “${term.word[language]}” (i18n/terms.ts)`,
  );
}

export function findUnwantedWords(translations: Record<string, unknown>): string[] {
  return languages.flatMap((language) =>
    [...flatten(translations[language] ?? {})]
      .filter(([key, message]) => !unwantedExcept.includes(key) && unwanted[language].test(message))
      .map(([key, message]) => `${language}: ${key} says “${unwanted[language].exec(message)?.[0]}”`),
  );
}
