import { createTranslator } from "use-intl/core";
import type { FieldMessage } from "@alcove/contract/fields";
import type { ErrorCode } from "@alcove/contract/errors";
import { languages, type EnglishMessages, type Language } from "@alcove/i18n";
import { allTranslations } from "@alcove/i18n/all";

/** The language segment of an address; calls under an unknown one are answered in English (decisions, section 2). */
export function languageOfSegment(segment: string | undefined): Language {
  return languages.find((language) => language === segment) ?? "en";
}

/** The translations of one namespace, typed by the English messages so that arguments are checked. */
export function translator<Namespace extends keyof EnglishMessages>(
  language: Language,
  namespace: Namespace,
) {
  const messages = allTranslations[language] as EnglishMessages;
  return createTranslator({ locale: language, messages, namespace });
}

const refusalSentences = Object.fromEntries(
  languages.map((language) => [language, translator(language, "errors")]),
);
const fieldSentences = Object.fromEntries(
  languages.map((language) => [language, translator(language, "fields")]),
);

/** The sentence of a refusal, as `error_message` carries it. */
export function errorMessage(language: Language, code: ErrorCode | "fault"): string {
  return refusalSentences[language]!(code);
}

/** The sentence of what is wrong with a field. */
export function fieldMessage(language: Language, message: FieldMessage): string {
  return fieldSentences[language]!(message);
}
