import { createTranslator } from "use-intl/core";
import type { FieldMessage } from "@alcove/contract/fields";
import type { ErrorCode } from "@alcove/contract/errors";
import { languages, type EnglishMessages, type Language } from "@alcove/i18n";
import { allTranslations } from "@alcove/i18n/all";

export function languageOfSegment(segment: string | undefined): Language {
  return languages.find((language) => language === segment) ?? "en";
}

export function translator<Namespace extends keyof EnglishMessages>(
  language: Language,
  namespace: Namespace,
) {
  const messages = allTranslations[language] as EnglishMessages;
  return createTranslator({ locale: language, messages, namespace });
}

const errorTranslators = Object.fromEntries(
  languages.map((language) => [language, translator(language, "errors")]),
);
const fieldTranslators = Object.fromEntries(
  languages.map((language) => [language, translator(language, "fields")]),
);

export function errorMessage(language: Language, code: ErrorCode | "fault"): string {
  return errorTranslators[language]!(code);
}

export function fieldMessage(language: Language, message: FieldMessage): string {
  return fieldTranslators[language]!(message);
}
