import { createTranslator } from "use-intl/core";
import type { FieldMessage } from "@alcove/contract/fields";
import type { ErrorCode } from "@alcove/contract/errors";
import { allTexts, languages, type Language } from "@alcove/texts";

/** The language segment of an address; calls under an unknown one are answered in English (decisions, section 2). */
export function languageOfSegment(segment: string | undefined): Language {
  return languages.find((language) => language === segment) ?? "en";
}

/** A translator for one namespace of the catalogues, in one language. */
export function texts<Namespace extends keyof (typeof allTexts)["en"]>(
  language: Language,
  namespace: Namespace,
) {
  return createTranslator({ locale: language, messages: allTexts[language], namespace });
}

const refusalSentences = Object.fromEntries(
  languages.map((language) => [language, texts(language, "refusals")]),
);
const fieldSentences = Object.fromEntries(languages.map((language) => [language, texts(language, "fields")]));

/** The sentence of a refusal, as `error_message` carries it. */
export function errorMessage(language: Language, code: ErrorCode | "fault"): string {
  return refusalSentences[language]!(code);
}

/** The sentence of what is wrong with a field. */
export function fieldMessage(language: Language, message: FieldMessage): string {
  return fieldSentences[language]!(message);
}
