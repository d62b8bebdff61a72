import { languages, type Language } from "@alcove/i18n";
import { type LegalText, privacyText } from "./legal-text.ts";
import { privacyEn } from "./privacy.en.ts";
import { privacyJa } from "./privacy.ja.ts";
import { privacyZhHans } from "./privacy.zh-hans.ts";
import { privacyZhHant } from "./privacy.zh-hant.ts";
import { termsEn } from "./terms.en.ts";
import { termsJa } from "./terms.ja.ts";
import { termsZhHans } from "./terms.zh-hans.ts";
import { termsZhHant } from "./terms.zh-hant.ts";

export const BINDING_LANGUAGE = "zh-hant";

export const privacyPolicies = {
  en: privacyEn,
  ja: privacyJa,
  "zh-hans": privacyZhHans,
  "zh-hant": privacyZhHant,
} as const;

const terms = { en: termsEn, ja: termsJa, "zh-hans": termsZhHans, "zh-hant": termsZhHant } as const;

/** A text in the reader's language, and the binding one beside it. */
export interface ShownText {
  readonly language: Language;
  readonly text: LegalText;
  /** Null if `text` binds. For an unknown language, the fallback stands alone and links to the binding text. */
  readonly binding: LegalText | null;
  readonly isFallback: boolean;
}

/** Unknown languages use English. */
export function termsFor(segment: string | undefined): ShownText {
  return shownText((language) => terms[language], segment, "en");
}

/** Unknown languages use Japanese. */
export function privacyPolicyFor(segment: string | undefined): ShownText {
  return shownText((language) => privacyText(privacyPolicies[language]), segment, "ja");
}

function shownText(
  textIn: (language: Language) => LegalText,
  segment: string | undefined,
  fallback: Language,
): ShownText {
  const known = languages.find((language) => language === segment);
  const language = known ?? fallback;
  const binding = language === BINDING_LANGUAGE || !known ? null : textIn(BINDING_LANGUAGE);
  return { language, text: textIn(language), binding, isFallback: !known };
}
