import { createTranslator } from "use-intl/core";
import type { FieldMessage } from "@alcove/contract/fields";
import type { ErrorCode } from "@alcove/contract/errors";
import type { Currency } from "@alcove/contract/prices";
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

const HOUR_SECONDS = 3_600;
const SHORT_WAIT_SECONDS = HOUR_SECONDS / 6;

const errorTranslators = Object.fromEntries(
  languages.map((language) => [language, translator(language, "errors")]),
);
const fieldTranslators = Object.fromEntries(
  languages.map((language) => [language, translator(language, "fields")]),
);

/** A wait of more than some minutes is named, in hours. */
export function errorMessage(
  language: Language,
  code: ErrorCode | "fault",
  retryAfterSeconds: number | null = null,
): string {
  const translate = errorTranslators[language]!;
  if (code !== "too_many_requests" || (retryAfterSeconds ?? 0) <= SHORT_WAIT_SECONDS) return translate(code);
  return translate("limit_reached", { hours: Math.ceil(retryAfterSeconds! / HOUR_SECONDS) });
}

export function fieldMessage(language: Language, message: FieldMessage): string {
  return fieldTranslators[language]!(message);
}

/** As people write it in the language. A whole sum in USD has cents only beside others. */
export function moneyText(
  language: Language,
  currency: Currency,
  amount: number,
  { hasCents = false } = {},
): string {
  const minimumFractionDigits = currency === "USD" && (hasCents || !Number.isInteger(amount)) ? 2 : 0;
  const number = amount.toLocaleString("en", { minimumFractionDigits });
  return translator(language, "ui")(`money_${currency}`, { amount: number });
}
